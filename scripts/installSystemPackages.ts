import type { SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { run } from "./run.ts";

const programs: Record<string, string> = { chromium: "/usr/bin/chromium" };

/** Installs Debian packages that the tests need, where this is Debian and we are root. Returns what is still missing. */
export async function installSystemPackages(packages: string[]): Promise<string[]> {
  const isMissing = (name: string) => !existsSync(programs[name] ?? "");
  const missing = packages.filter(isMissing);
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return missing;

  console.log(`Installing ${missing.join(", ")} by apt-get…`);
  const options: SpawnOptions = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  await run("apt-get", ["update", "-qq"], options);
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing], options);
  return missing.filter(isMissing);
}
