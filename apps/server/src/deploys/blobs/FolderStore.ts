import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobStore, Part } from "./BlobStore.ts";
import { writeInThread } from "./writeInThread.ts";

/** Blobs as files, in a folder for each account. */
export class FolderStore implements BlobStore {
  private readonly folder: string;
  private readonly unfinished: string;

  constructor(folder: string) {
    this.folder = folder;
    this.unfinished = join(folder, "unfinished");
  }

  async put(key: string, content: Buffer | AsyncIterable<Buffer>) {
    const path = this.pathOf(key);
    for (const folder of [dirname(path), this.unfinished]) await mkdir(folder, { recursive: true });
    const unfinished = join(this.unfinished, randomUUID());
    try {
      await writeFile(unfinished, content, { flag: "wx" });
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async putParts(bytes: ArrayBuffer, parts: Part[]) {
    const files = parts.map(({ key, ...part }) => ({ path: this.pathOf(key), ...part }));
    for (const folder of new Set(files.map(({ path }) => dirname(path)))) await mkdir(folder, { recursive: true });
    return writeInThread({ bytes, files });
  }

  async read(key: string, range?: { start: number; end: number }) {
    const file = await open(this.pathOf(key));
    return file.createReadStream(range);
  }

  async removeOlder(keys: string[], before: Date) {
    for (const key of keys) await removeIfOlder(this.pathOf(key), before);
  }

  async removeUnfinished(before: Date) {
    const names = await readdir(this.unfinished).catch(() => []);
    for (const name of names) await removeIfOlder(join(this.unfinished, name), before);
  }

  private pathOf(key: string): string {
    return join(this.folder, key);
  }
}

async function removeIfOlder(path: string, before: Date) {
  const found = await stat(path).catch(() => undefined);
  if (found && found.mtime < before) await rm(path, { force: true });
}
