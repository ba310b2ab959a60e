import { createHash, hash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { SiteFile } from "@nido/contract";
import { cacheFileOf, writeCache } from "./cacheFile.ts";
import { type CachedDigest, readDigestCache } from "./digestCache.ts";
import type { FoundFile } from "./findFiles.ts";
import { readIntoBuffer } from "./readIntoBuffer.ts";

/** A file changed this recently may change again within the resolution of the file system's clock, unnoticed. */
const minCacheableAgeMs = 2000;
/** Reused for all files: allocating memory takes longer than reading a small file. */
const buffer = Buffer.allocUnsafeSlow(2 ** 20);
const maxAttempts = 5;

/** The digest and size of each file. Files that have not changed since the last run are not read again. */
export async function hashFiles(
  folder: string,
  found: FoundFile[],
  onProgress: (part: number) => void,
  ignoreCache = false,
): Promise<SiteFile[]> {
  const cacheFile = cacheFileOf(folder);
  const cached = new Map(ignoreCache ? [] : readDigestCache(cacheFile).map((entry) => [entry[0], entry]));
  const now = Date.now();
  const files: SiteFile[] = [];
  const cacheable: CachedDigest[] = [];
  let hasNew = false;
  for (const [index, file] of found.entries()) {
    const { path, size, modified, touched } = file;
    const old = cached.get(path);
    const isUnchanged = old && old[1] === size && old[2] === modified && old[3] === touched;
    const read = isUnchanged ? { ...file, sha256: old[4] } : await hashFile(folder, file);
    hasNew ||= !isUnchanged;
    files.push({ path, sha256: read.sha256, size: read.size });
    if (now - read.touched > minCacheableAgeMs)
      cacheable.push([path, read.size, read.modified, read.touched, read.sha256]);
    if (index % 50 === 0) onProgress(index / found.length);
  }
  if (hasNew) writeCache(cacheFile, cacheable);
  return files;
}

/** Hashes a file again if it changed while it was read. */
async function hashFile(folder: string, found: FoundFile): Promise<FoundFile & { sha256: string }> {
  const { path } = found;
  let before = found;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const sha256 = await digest(`${folder}/${path}`, before.size);
    const { size, mtimeMs: modified, ctimeMs: touched } = statSync(`${folder}/${path}`);
    if (before.touched === touched && before.size === size) return { ...before, sha256 };
    before = { path, size, modified, touched };
  }
  throw new Error(`${path} keeps changing while it is read`);
}

async function digest(file: string, size: number): Promise<string> {
  if (size <= buffer.length)
    return hash("sha256", buffer.subarray(0, readIntoBuffer(buffer.subarray(0, size), file)), "hex");
  const whole = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), whole);
  return whole.digest("hex");
}
