import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Bucket } from "../../platform/Bucket.ts";
import { requireRoom } from "../../platform/requireRoom.ts";

const prefix = "uploads/";
const idLength = 36;

/** Large files that customers send in parts: in a bucket if there is one, otherwise in a folder. */
export class UploadStore {
  private readonly folder: string;
  private readonly bucket: Bucket | undefined;

  constructor(dataDir: string, bucket: Bucket | undefined) {
    this.folder = join(dataDir, "uploads");
    this.bucket = bucket;
  }

  /** Stores a part. Returns its name, by which it becomes one of the upload or is removed. */
  async add(id: string, part: Readable): Promise<string> {
    const name = randomUUID();
    if (this.bucket) await this.bucket.upload(keyOf(id, name), part);
    else {
      const folder = join(this.folder, id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(join(folder, name), "wx", 0o600);
      await pipeline(part, file.createWriteStream({ flush: true }));
    }
    return name;
  }

  async removePart(id: string, name: string) {
    if (this.bucket) await this.bucket.remove(keyOf(id, name));
    else await rm(join(this.folder, id, name), { force: true });
  }

  /** Puts parts together to a file on this machine. The caller removes it. */
  async assemble(id: string, names: string[], size: number): Promise<string> {
    await requireRoom(this.folder, size);
    const path = join(this.folder, `${id}.${randomUUID()}`);
    try {
      await pipeline(Readable.from(this.read(id, names)), createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return path;
  }

  /** Throws unless there is room for so many bytes, and some more for everybody else. */
  async requireRoom(bytes: number) {
    await requireRoom(this.folder, bytes);
  }

  async remove(id: string) {
    if (this.bucket) for (const key of await this.bucket.list(keyOf(id, ""))) await this.bucket.remove(key);
    await rm(join(this.folder, id), { recursive: true, force: true });
  }

  /** Removes all uploads but these, also what interrupted work has left. */
  async keepOnly(ids: Set<string>) {
    const keys = this.bucket ? await this.bucket.list(prefix) : [];
    for (const key of keys)
      if (!ids.has(key.slice(prefix.length, prefix.length + idLength))) await this.bucket?.remove(key);
    for (const name of await readdir(this.folder).catch(() => []))
      if (!ids.has(name.slice(0, idLength))) await rm(join(this.folder, name), { recursive: true, force: true });
  }

  private async *read(id: string, names: string[]) {
    for (const name of names)
      yield* this.bucket
        ? await this.bucket.read(keyOf(id, name))
        : (await open(join(this.folder, id, name))).createReadStream();
  }
}

function keyOf(id: string, name: string): string {
  return `${prefix}${id}/${name}`;
}
