import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobStore, Content } from "./BlobStore.ts";

/** Blobs as files, in folders by the digest's first byte. */
export class FolderStore implements BlobStore {
  private readonly folder: string;
  private readonly known = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  async put(key: string, content: Content) {
    const path = this.pathOf(key);
    await this.ensure(dirname(path));
    const unfinished = `${path}.${randomBytes(6).toString("hex")}`;
    try {
      await writeFile(unfinished, content, { flag: "wx" });
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async read(key: string, range?: { start: number; end: number }) {
    const file = await open(this.pathOf(key));
    return file.createReadStream(range);
  }

  async removeOlder(keys: string[], moment: Date) {
    for (const key of keys) {
      const path = this.pathOf(key);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtime < moment) await rm(path, { force: true });
    }
  }

  private async ensure(folder: string) {
    if (this.known.has(folder)) return;
    await mkdir(folder, { recursive: true });
    this.known.add(folder);
  }

  private pathOf(key: string): string {
    const [account = "", name = ""] = key.split("/");
    return join(this.folder, account, name.slice(0, 2), name);
  }
}
