import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a program on this process's input and output, and resolves with its exit code. */
export async function run(command: string, args: string[], options: SpawnOptions = {}): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit", ...options });
  const stop = () => child.kill("SIGTERM");
  process.once("SIGTERM", stop);
  const [code] = await once(child, "close");
  process.off("SIGTERM", stop);
  return code ?? 1;
}

/** Runs a program and throws unless it succeeds. */
export async function must(command: string, args: string[], env: Record<string, string> = {}) {
  const code = await run(command, args, { env: { ...process.env, ...env } });
  // rsync's exit code 24 says that a file was deleted during the copy, which is normal while the product runs.
  if (code !== 0 && !(command === "rsync" && code === 24)) throw new Error(`${command} failed with exit code ${code}`);
}
