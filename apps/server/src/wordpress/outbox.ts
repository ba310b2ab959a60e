import { opendir, rm } from "node:fs/promises";
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

/**
 * Not recursively: the site could replace a folder with a link meanwhile. A folder in place of a message stays, and
 * takes up one place of this site only.
 */
export async function removeMessage(folder: string, name: string) {
  await rm(join(folder, name), { force: true }).catch(() => undefined);
}
