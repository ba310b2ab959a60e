import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a program to its end, with this one's input and output, and resolves with its exit code. */
export async function run(command: string, args: string[], options: SpawnOptions = {}): Promise<number> {
  const [code] = await once(spawn(command, args, { stdio: "inherit", ...options }), "close");
  return code ?? 1;
}
