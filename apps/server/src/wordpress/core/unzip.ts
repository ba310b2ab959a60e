import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { unzipSync } from "fflate";

/** Unpacks an archive of ours into a folder, without the folder that it has everything in, where it has one. */
export async function unzip(archive: Uint8Array, target: string, within = "") {
  for (const [path, bytes] of Object.entries(unzipSync(archive))) {
    if (path.endsWith("/") || !path.startsWith(within)) continue;
    const relative = normalize(path.slice(within.length));
    if (relative.startsWith("..") || relative.startsWith("/")) throw new Error(`the archive contains ${path}`);
    const file = join(target, relative);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}
