import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The bytes that the files below a folder have. What vanishes meanwhile counts nothing. */
export function measureFolder(folder: string): number {
  let sum = 0;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) sum += measureFolder(path);
      else sum += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return sum;
}
