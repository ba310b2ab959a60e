import { lstatSync, readdirSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** The bytes that the files below a folder have. What vanishes meanwhile counts nothing. */
export async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessGone([]));
  let sum = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    sum += entry.isDirectory()
      ? await measureFolder(path)
      : ((await lstat(path).catch(unlessGone(undefined)))?.size ?? 0);
  }
  return sum;
}

/** The same at once, for a thread that has nothing else to do. */
export function measureFolderNow(folder: string): number {
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
