import { existsSync } from "node:fs";
import { join } from "node:path";

/** The usual output folders of site generators. */
const outputFolders = ["dist", "build", "out", "public", "_site"];

export function detectFolder(from: string): string {
  return outputFolders.find((name) => existsSync(join(from, name))) ?? ".";
}
