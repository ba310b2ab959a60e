import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { unzipSync } from "fflate";

/** Unpacks an archive into a folder. Only entries below `within` are taken, without that prefix. */
export async function unzip(archive: Uint8Array, target: string, within = "") {
  for (const [path, bytes] of Object.entries(unzipSync(archive))) {
    if (path.endsWith("/") || !path.startsWith(within)) continue;
    const relative = normalize(path.slice(within.length));
    if (relative.startsWith("..") || relative.startsWith("/"))
      throw new Error(`the archive contains the unsafe path ${path}`);
    const file = join(target, relative);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}
