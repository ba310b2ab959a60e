import { run } from "./run.ts";

/** Format, lint, types, dead code. All of them run, so that one pass shows every fault. */
export async function check(): Promise<boolean> {
  const codes = [
    await run("biome", ["check", "--error-on-warnings", "."]),
    await run("tsc", ["-b"]),
    await run("knip", ["--no-progress"]),
  ];
  return codes.every((code) => code === 0);
}

if (import.meta.main) process.exit((await check()) ? 0 : 1);
