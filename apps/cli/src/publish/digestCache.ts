import { readFileSync } from "node:fs";

/** The digest of a file, with the attributes that tell whether the file has changed since. */
export type CachedDigest = [path: string, size: number, modified: number, touched: number, sha256: string];

/** An unreadable cache is an empty cache. */
export function readDigestCache(file: string): CachedDigest[] {
  try {
    const entries = JSON.parse(readFileSync(file, "utf8"));
    return entries.every((entry: unknown) => Array.isArray(entry) && entry.length === 5) ? entries : [];
  } catch {
    return [];
  }
}
