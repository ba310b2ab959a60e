import { mkdir, statfs } from "node:fs/promises";

/** Throws unless the disk of a folder has room for so many bytes, and for everybody else `reservedShare` of the disk. */
export async function requireRoom(folder: string, bytes: number, reservedShare = 0.1) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize, blocks } = await statfs(folder);
  if (bavail * bsize - bytes < blocks * bsize * reservedShare)
    throw new Error(`no room for ${bytes} bytes in ${folder}`);
}
