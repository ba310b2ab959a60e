import { constants, type Stats } from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface OpenedFile {
  handle: FileHandle;
  stats: Stats;
}

// O_NONBLOCK: opening a FIFO would otherwise wait for a writer and occupy one of the few threads that do file I/O.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const absent = ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EACCES", "ENAMETOOLONG"];

/**
 * Opens a file below a folder that a customer's site may change at any moment. A check of the path could be outdated
 * when the file is opened, so the opened file is checked: it must be a regular file at this very place, not the
 * target of a symbolic link. Returns undefined if there is no such file. The caller closes it.
 */
export async function openUntrusted(root: string, relative: string): Promise<OpenedFile | undefined> {
  const place = join(await realpath(dirname(root)), basename(root), relative);
  const handle = await open(place, flags).catch((error: NodeJS.ErrnoException) => {
    if (absent.includes(error.code ?? "")) return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const stats = await handle.stat();
    const found = await placeOf(handle, place);
    // A file that was deleted or replaced after it was opened was at this place, too.
    if (stats.isFile() && (found === place || found === `${place} (deleted)`)) return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/** The whole content of such a file; undefined if there is none or it is larger than the limit. */
export async function readUntrusted(root: string, relative: string, maxBytes: number): Promise<Buffer | undefined> {
  const file = await openUntrusted(root, relative);
  if (!file) return undefined;
  try {
    return file.stats.size > maxBytes ? undefined : await readOpened(file);
  } finally {
    await file.handle.close();
  }
}

/** As much as the file had when it was opened: it may be growing without end. */
export async function readOpened({ handle, stats }: OpenedFile): Promise<Buffer> {
  const buffer = Buffer.alloc(stats.size);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
}

/** The path of the opened file. On systems without /proc, the path that the name leads to now. */
function placeOf({ fd }: FileHandle, path: string): Promise<string> {
  return readlink(`/proc/self/fd/${fd}`).catch(() => realpath(path));
}
