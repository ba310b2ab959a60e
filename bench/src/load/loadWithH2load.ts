import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Page, requestHeaders, type Server } from "./Server.ts";

const run = promisify(execFile);
const seconds = 3;
const streams = 10;

/** Requests per second of a server over HTTP/2. */
export async function loadWithH2load(server: Server, page: Page, connections: number): Promise<number> {
  const { Host: host = "", ...headers } = requestHeaders(server, page);
  const fields = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const limits = ["-t1", `-c${connections}`, `-m${streams}`, `-D${seconds}`, "--warm-up-time=1"];
  const target = [`--connect-to=127.0.0.1:${server.port}`, `https://${host}${page.path}`];
  const { stdout } = await run("h2load", [...limits, ...fields, ...target]);
  const [, failed, errored] = /(\d+) failed, (\d+) errored/.exec(stdout) ?? [];
  const [, successful = "0"] = /status codes: (\d+) 2xx/.exec(stdout) ?? [];
  if (failed !== "0" || errored !== "0" || !stdout.includes("protocol: h2"))
    throw new Error(`${server.name} failed under load:\n${stdout}`);
  return Number(successful) / seconds;
}
