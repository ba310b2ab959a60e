import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { userFolder } from "../userFolder.ts";

/** The digest of a file, with the attributes that tell whether the file has changed since. */
export type CachedDigest = [path: string, size: number, modified: number, touched: number, sha256: string];

/** Each published folder has its own cache file. */
export function cacheFileOf(folder: string): string {
  return join(userFolder("cache"), `${createHash("sha256").update(folder).digest("hex").slice(0, 32)}.json`);
}

/** An unreadable cache is an empty cache. */
export function readDigestCache(file: string): CachedDigest[] {
  try {
    const entries = JSON.parse(readFileSync(file, "utf8"));
    return entries.every((entry: unknown) => Array.isArray(entry) && entry.length === 5) ? entries : [];
  } catch {
    return [];
  }
}

export function writeDigestCache(file: string, entries: CachedDigest[]) {
  try {
    mkdirSync(userFolder("cache"), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(entries), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // Without a cache the next run is slower, and nothing else.
  }
}
