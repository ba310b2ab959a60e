import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Page, requestHeaders, type Server } from "./Server.ts";

const run = promisify(execFile);
const seconds = 3;

/** Requests per second of a server under load. */
export async function loadWithWrk(
  server: Server,
  page: Page,
  connections: number,
  more: Record<string, string> = {},
): Promise<number> {
  const headers = Object.entries({ ...requestHeaders(server, page), ...more }).flatMap(([name, value]) => [
    "-H",
    `${name}: ${value}`,
  ]);
  const url = `${server.isTls ? "https://localhost" : "http://127.0.0.1"}:${server.port}${page.path}`;
  const limits = [`-d${seconds}`, "--timeout", "30s"]; // wrk counts slow answers as socket errors
  const { stdout } = await run("wrk", ["-t1", `-c${connections}`, ...limits, ...headers, url]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${server.name} failed under load:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}
