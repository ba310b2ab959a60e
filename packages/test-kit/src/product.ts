import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "./freePort.ts";
import { startProgram } from "./startProgram.ts";

const root = resolve(import.meta.dirname, "../../..");

interface Options {
  env: Record<string, string>;
  program?: string[];
}

/** Runs the product as `npm start` does, without npm. */
export function run({ env, program = ["scripts/start.ts"] }: Options) {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV)/.test(name)),
  );
  const nido = startProgram(process.execPath, program, { cwd: root, env: { ...inherited, ...env } });
  onTestFinished(() => void nido.child.kill("SIGKILL"));
  return nido;
}

/** Runs the product, and waits until it serves requests. */
export async function start(options: Options) {
  const nido = run(options);
  await nido.waitForOutput(/Ctrl-C stops it\./);
  return nido;
}

/** Waits until a process has exited, and returns its exit code. */
export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  return child.exitCode;
}

/** Settings with free ports and a data folder for a product of the calling test. */
export async function settings() {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "nido-start-"));
  chmodSync(folder, 0o711);
  // A killed product may have children that still write for a moment.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const dataDir = join(folder, "data");
  const env = { PORT: String(port), SANDBOX_PORT: String(await freePort()), DATA_DIR: dataDir };
  return { env, dataDir, port, origin: `http://localhost:${port}` };
}

/** Signs the demo customer in, and returns the session cookie. */
export async function signIn(origin: string, password = "Demo1234"): Promise<string> {
  const response = await fetch(`${origin}/auth/simple`, {
    method: "POST",
    body: new URLSearchParams({ username: "demo@nido.example", password }),
  });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
