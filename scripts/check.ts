import { run } from "./run.ts";

/** Format, lint, types, import rules, dead code. All of them run, so that one pass shows every fault. */
export async function check(): Promise<boolean> {
  const codes = [
    await run("biome", ["check", "--error-on-warnings", "."]),
    await run("tsc", ["-b"]),
    // Without bench: dependency-cruiser cannot parse its `await using`. Biome finds cycles between files there, too.
    await run("depcruise", ["--config", ".dependency-cruiser.mjs", "apps", "packages", "e2e", "scripts"]),
    await run("knip", ["--no-progress"]),
  ];
  return codes.every((code) => code === 0);
}

if (import.meta.main) process.exit((await check()) ? 0 : 1);
