import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { freePort } from "./freePort.ts";

const root = resolve(import.meta.dirname, "../../..");
export const patience = { timeout: 60_000, interval: 20 };

interface Options {
  env: Record<string, string>;
  program?: string[];
}

/** Runs the product as `npm start` does, without npm. */
export function run({ env, program = ["scripts/start.ts"] }: Options) {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV)/.test(name)),
  );
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { ...clean, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return { child, output: () => output };
}

/** The same, and waits until it serves. */
export async function start(options: Options) {
  const nido = run(options);
  await vi.waitFor(() => {
    expect(nido.child.exitCode, nido.output()).toBeNull();
    expect(nido.output()).toContain("Ctrl-C stops it.");
  }, patience);
  return nido;
}

export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  return child.exitCode;
}

/** Settings for a product of the calling test's own. */
export async function settings() {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "nido-start-"));
  chmodSync(folder, 0o711);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const env = { PORT: String(port), SANDBOX_PORT: String(await freePort()), DATA_DIR: dataDir };
  return { env, dataDir, port, origin: `http://localhost:${port}` };
}

/** Signs the demo customer in and returns their cookie. */
export async function signIn(origin: string, password = "Demo1234"): Promise<string> {
  const response = await fetch(`${origin}/auth/simple`, {
    method: "POST",
    body: new URLSearchParams({ username: "demo@nido.example", password }),
  });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
