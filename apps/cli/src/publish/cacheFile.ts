import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { userFolder } from "../userFolder.ts";

/** Each published folder has its own cache files. */
export function cacheFileOf(folder: string, ending = "json"): string {
  return join(userFolder("cache"), `${createHash("sha256").update(folder).digest("hex").slice(0, 32)}.${ending}`);
}

export function writeCache(file: string, content: unknown) {
  try {
    mkdirSync(userFolder("cache"), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(content), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // Without a cache the next run is slower, and nothing else.
  }
}
