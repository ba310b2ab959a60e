import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Builds into a folder, unless its last build came from the same sources. */
export async function buildOnce(folder: string, sources: string[], build: () => Promise<void>) {
  const stamp = join(root, folder, ".built-from");
  const current = fingerprint(sources);
  if (readStamp(stamp) === current) return;
  await build();
  writeFileSync(stamp, current);
}

function fingerprint(sources: string[]): string {
  const hash = createHash("sha256");
  for (const file of globSync([...sources, "package-lock.json"], { cwd: root }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function readStamp(stamp: string): string | undefined {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}
