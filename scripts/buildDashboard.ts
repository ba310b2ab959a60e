import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "./run.ts";

const root = resolve(import.meta.dirname, "..");
const stamp = join(root, "apps/dashboard/dist/.built-from");
const sources = [
  "apps/dashboard/*.*",
  "apps/dashboard/{src,public}/**/*.*",
  "packages/{contract,redux-remote}/src/**/*.ts",
  "package-lock.json",
];

/** Builds the dashboard unless what was built last came from the same sources. */
export async function buildDashboard() {
  const wanted = fingerprint();
  if (readStamp() === wanted) return;
  console.log("Building the dashboard…");
  const code = await run("vite", ["build", "--logLevel", "warn"], { cwd: join(root, "apps/dashboard") });
  if (code !== 0) process.exit(1);
  writeFileSync(stamp, wanted);
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of globSync(sources, { cwd: root }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function readStamp(): string | undefined {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}
