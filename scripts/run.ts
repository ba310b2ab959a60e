import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a program to its end, with this one's input and output, and resolves with its exit code. */
export async function run(command: string, args: string[], options: SpawnOptions = {}): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit", ...options });
  const stop = () => child.kill("SIGTERM");
  process.once("SIGTERM", stop);
  const [code] = await once(child, "close");
  process.off("SIGTERM", stop);
  return code ?? 1;
}

/** The same, where anything but success is a fault. */
export async function must(command: string, args: string[], env: Record<string, string> = {}) {
  const code = await run(command, args, { env: { ...process.env, ...env } });
  // rsync's 24: a file went while it was copied, which files may.
  if (code !== 0 && !(command === "rsync" && code === 24)) throw new Error(`${command} ended with ${code}`);
}
