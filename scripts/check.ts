import { run } from "./run.ts";

/** Checks format, lint, types, import rules and dead code. All checks run even if one fails, to show every fault. */
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
