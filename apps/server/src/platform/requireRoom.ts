import { mkdir, statfs } from "node:fs/promises";

/** Of the whole disk. It stays free for the database, for the sites and for the system. */
const reservedShare = 0.1;
/** So much is enough on large disks, too. */
const maxReservedBytes = 10 * 2 ** 30;

/** Throws unless the disk of a folder has room for so many bytes besides its reserve. What may wait asks for several reserves. */
export async function requireRoom(folder: string, bytes: number, reserves = 1) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize, blocks } = await statfs(folder);
  if (bavail * bsize - bytes < reserves * reservedBytes(blocks * bsize))
    throw new Error(`no room for ${bytes} bytes in ${folder}`);
}

export function reservedBytes(diskBytes: number): number {
  return Math.min(diskBytes * reservedShare, maxReservedBytes);
}
