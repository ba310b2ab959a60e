import { createHash, hash } from "node:crypto";
import { createReadStream, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { SiteFile } from "@nido/contract";
import { ownFolder } from "../settings.ts";
import type { FoundFile } from "./findFiles.ts";
import { readInto } from "./readInto.ts";

/** What was read before. */
type Known = [path: string, size: number, modified: number, touched: number, sha256: string];

/** Files as young as this may change again without a trace. */
const tooYoung = 2000;
/** Used for one file after the other: memory that is new each time takes longer to come by than a file to read. */
const place = Buffer.allocUnsafeSlow(2 ** 20);
const mostAttempts = 5;

/** Says what each file's bytes are. What has not been touched since last time is not read again. */
export async function hashFiles(
  folder: string,
  found: FoundFile[],
  onProgress: (part: number) => void,
  isAfresh = false,
): Promise<SiteFile[]> {
  const memory = join(ownFolder("cache"), `${createHash("sha256").update(folder).digest("hex").slice(0, 32)}.json`);
  const known = new Map(isAfresh ? [] : readMemory(memory).map((entry) => [entry[0], entry]));
  const now = Date.now();
  const files: SiteFile[] = [];
  const remembered: Known[] = [];
  let hasNew = false;
  for (const [index, file] of found.entries()) {
    const { path, size, modified, touched } = file;
    const old = known.get(path);
    const isSame = old && old[1] === size && old[2] === modified && old[3] === touched;
    const read = isSame ? { ...file, sha256: old[4] } : await hashFile(folder, file);
    hasNew ||= !isSame;
    files.push({ path, sha256: read.sha256, size: read.size });
    if (now - read.touched > tooYoung) remembered.push([path, read.size, read.modified, read.touched, read.sha256]);
    if (index % 50 === 0) onProgress(index / found.length);
  }
  if (hasNew) writeMemory(memory, remembered);
  return files;
}

/** Read again where it changed since it was found. */
async function hashFile(folder: string, found: FoundFile): Promise<FoundFile & { sha256: string }> {
  const { path } = found;
  let before = found;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const sha256 = await digest(`${folder}/${path}`, before.size);
    const { size, mtimeMs: modified, ctimeMs: touched } = statSync(`${folder}/${path}`);
    if (before.touched === touched && before.size === size) return { ...before, sha256 };
    before = { path, size, modified, touched };
  }
  throw new Error(`${path} does not stop changing`);
}

async function digest(file: string, size: number): Promise<string> {
  if (size <= place.length) return hash("sha256", place.subarray(0, readInto(place.subarray(0, size), file)), "hex");
  const whole = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), whole);
  return whole.digest("hex");
}

/** One that cannot be read is an empty one. */
function readMemory(file: string): Known[] {
  try {
    const entries = JSON.parse(readFileSync(file, "utf8"));
    return entries.every((entry: unknown) => Array.isArray(entry) && entry.length === 5) ? entries : [];
  } catch {
    return [];
  }
}

function writeMemory(file: string, entries: Known[]) {
  try {
    mkdirSync(ownFolder("cache"), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(entries), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // Slower next time, no more.
  }
}
