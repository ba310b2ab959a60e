import { mkdir, statfs } from "node:fs/promises";

/** This part of a disk is left free for everybody else. */
const reservedShare = 0.1;

/** Throws unless the disk of a folder has room for so many bytes, and some more. */
export async function requireRoom(folder: string, bytes: number) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize, blocks } = await statfs(folder);
  if (bavail * bsize - bytes < blocks * bsize * reservedShare)
    throw new Error(`no room for ${bytes} bytes in ${folder}`);
}
