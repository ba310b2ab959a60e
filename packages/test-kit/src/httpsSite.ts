import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectHttp2, type OutgoingHttpHeaders } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { onTestFinished } from "vitest";
import { createDatabase } from "./database.ts";
import { freePort } from "./freePort.ts";
import { settings, start } from "./product.ts";
import { openSeed } from "./seed.ts";

/** The product with HTTPS and a self-signed certificate, as one setting starts it. */
export async function startHttps(more: Record<string, string> = {}) {
  const { env, port: httpPort } = await settings();
  const [port, databaseUrl] = [await freePort(), await createDatabase()];
  const { output, child } = await start({
    env: { ...env, HTTPS_PORT: String(port), DATABASE_URL: databaseUrl, ...more },
  });
  return { port, httpPort, databaseUrl, output, pid: child.pid as number };
}

/** The same, with a static site at folio.localhost. */
export async function startWithSite(more: Record<string, string> = {}) {
  const product = await startHttps(more);
  await publishSite(product.databaseUrl, product.port);
  return product;
}

/** Publishes a site of the demo customer's, with the command-line tool. */
export async function publishSite(databaseUrl: string, port: number) {
  const seed = await openSeed(databaseUrl, "demo@nido.example");
  const folder = mkdtempSync(join(tmpdir(), "nido-tls-"));
  onTestFinished(async () => {
    await seed.close();
    rmSync(folder, { recursive: true });
  });
  await seed.addProject("folio", { recipe: "static_starter" });
  writeFileSync(join(folder, "index.html"), "<h1>folio</h1>");
  writeFileSync(join(folder, "film.bin"), Buffer.alloc(3 * 2 ** 20)); // too large for the cache
  const cli = join(import.meta.dirname, "../../../apps/cli/dist/nido.cjs");
  const env = {
    HOME: folder,
    NIDO_SERVER: `https://localhost:${port}`,
    NIDO_TOKEN: await seed.giveToken(),
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  };
  await outputOf(process.execPath, [cli, "publish", folder, "--project", "folio"], env);
}

/** One HTTP/2 connection, on which requests for any host can be made. */
export function openConnection(port: number, servername: string) {
  const options = { host: "127.0.0.1", port, servername, ALPNProtocols: ["h2"], rejectUnauthorized: false };
  const session = connectHttp2(`https://${servername}:${port}`, { createConnection: () => connectTls(options) });
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  const request = async (host: string, headers: OutgoingHttpHeaders = {}, body = "") => {
    const stream = session.request({ ":authority": `${host}:${port}`, ":path": "/", ...headers }, { endStream: !body });
    if (body) stream.end(body);
    const [answer] = await once(stream, "response");
    return { status: answer[":status"], headers: answer, text: await text(stream) };
  };
  return { session, request };
}

export async function outputOf(program: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return output + errors;
}
