import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/**
 * Opens a file that the web process wrote, for the site manager, which runs as root. The file must belong to the web
 * process: otherwise a link in its folder could make root read what the web process must not see.
 */
export async function openTrusted(path: string, webUser: number): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (stats.isFile() && stats.uid === webUser && stats.nlink === 1) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw new Error(`${path} is not a regular file of the web process`);
}

export async function readTrusted(path: string, webUser: number, maxBytes: number): Promise<string> {
  const handle = await openTrusted(path, webUser);
  try {
    const buffer = Buffer.alloc(maxBytes);
    const { bytesRead } = await handle.read(buffer, 0, maxBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
