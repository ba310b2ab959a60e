import { mkdir, opendir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openUntrusted, readOpened } from "../platform/openUntrusted.ts";
import type { WaitingMessage } from "./WordPressRuntime.ts";

/** The names of the messages in a folder. It may have any number of files, so it is not read to its end. */
export async function listMessages(folder: string, limit: number): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.isFile() && entry.name.endsWith(".json")) names.push(entry.name);
      if (names.length === limit) break;
    }
  } catch {
    // A site that is being restored has no folder for a moment.
  }
  return names;
}

export async function readMessage(folder: string, name: string, maxBytes: number): Promise<WaitingMessage | undefined> {
  const file = await openUntrusted(folder, name);
  if (!file) return undefined;
  try {
    const { size, mtimeMs } = file.stats;
    return { writtenAt: mtimeMs, content: size > maxBytes ? undefined : await readOpened(file) };
  } finally {
    await file.handle.close();
  }
}

const movedAtMost = 1000;
const maxMovedBytes = 30 * 2 ** 20;

/** Moves messages from one folder to another, in which a site may put links. Repeated, it goes on where it ended. */
export async function moveMessages(from: string, to: string) {
  const names = await listMessages(from, movedAtMost);
  if (names.length > 0) await mkdir(to, { recursive: true });
  for (const name of names) {
    const { content } = (await readMessage(from, name, maxMovedBytes)) ?? {};
    if (content) await writeFile(join(to, name), content, { flag: "wx" }).catch(ignoreExisting);
    await removeMessage(from, name);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException) {
  if (error.code !== "EEXIST") throw error;
}

/**
 * Not recursively: the site could replace a folder with a link meanwhile. A folder in place of a message stays, and
 * takes up one place of this site only.
 */
export async function removeMessage(folder: string, name: string) {
  await rm(join(folder, name), { force: true }).catch(() => undefined);
}
