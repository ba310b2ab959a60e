import { lstatSync, readdirSync, type Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** A file or folder counts as at least this many bytes, even if it is empty, because it occupies an inode. */
export const minFileBytes = 4096;

/** The total size of the files below a folder, in bytes. Files that are deleted meanwhile do not count. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessGone([]));
  let sum = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    sum += entry.isDirectory()
      ? minFileBytes + (await folderSize(path))
      : occupied(await lstat(path).catch(unlessGone(undefined)));
  }
  return sum;
}

/** The synchronous form, for a worker thread that has nothing else to do. */
export function folderSizeSync(folder: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const stats = entry.isDirectory()
      ? undefined
      : lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    sum += entry.isDirectory() ? minFileBytes : occupied(stats);
  }
  return sum;
}

function occupied(stats: Stats | undefined): number {
  return stats ? Math.max(stats.size, minFileBytes) : 0;
}

function unlessGone<Value>(value: Value) {
  return (error: NodeJS.ErrnoException) => {
    // EACCES: a folder that the site's user has closed.
    if (error.code === "ENOENT" || error.code === "EACCES") return value;
    throw error;
  };
}
