import { lstatSync, readdirSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** The total size of the files below a folder, in bytes. Files that are deleted meanwhile do not count. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessGone([]));
  let sum = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    sum += entry.isDirectory() ? await folderSize(path) : ((await lstat(path).catch(unlessGone(undefined)))?.size ?? 0);
  }
  return sum;
}

/** The synchronous form, for a worker thread that has nothing else to do. */
export function folderSizeSync(folder: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (!entry.isDirectory())
      sum += lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return sum;
}

function unlessGone<Value>(value: Value) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return value;
    throw error;
  };
}
