import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Bucket } from "../platform/Bucket.ts";
import { requireRoom } from "../platform/requireRoom.ts";

/** The archives of customers' data, each a day old at most: in a bucket if there is one, otherwise in a folder. */
export class ExportStore {
  private readonly folder: string;
  private readonly bucket: Bucket | undefined;

  constructor(dataDir: string, bucket: Bucket | undefined) {
    this.folder = join(dataDir, "exports");
    this.bucket = bucket;
  }

  /** Stores an archive, as a whole or not at all. */
  async add(id: string, content: Readable) {
    if (this.bucket) return this.bucket.upload(keyOf(id), content);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, fileOf(id));
    const file = await open(`${path}.new`, "w", 0o600);
    try {
      await pipeline(content, file.createWriteStream({ flush: true }));
      await rename(`${path}.new`, path);
    } finally {
      await rm(`${path}.new`, { force: true });
    }
  }

  /** Throws unless the folder has room for an archive of this size, and some more for everybody else. */
  async requireRoom(bytes: number) {
    if (!this.bucket) await requireRoom(this.folder, bytes);
  }

  async remove(id: string) {
    if (this.bucket) await this.bucket.remove(keyOf(id));
    else await rm(join(this.folder, fileOf(id)), { force: true });
  }

  async read(id: string): Promise<Readable> {
    if (this.bucket) return this.bucket.read(keyOf(id));
    return (await open(join(this.folder, fileOf(id)))).createReadStream();
  }

  /** Removes all archives but these, also those that were interrupted. */
  async keepOnly(ids: Set<string>) {
    const names = this.bucket
      ? await this.bucket.list(keyOf("")).then((keys) => keys.map((key) => key.slice(prefix.length)))
      : await readdir(this.folder).catch(() => []);
    for (const name of names) {
      if (ids.has(name.slice(0, uuidLength))) continue;
      if (this.bucket) await this.bucket.remove(prefix + name);
      else await rm(join(this.folder, name), { force: true });
    }
  }
}

const prefix = "exports/";
const uuidLength = 36;

function fileOf(id: string): string {
  return `${id}.zip`;
}

function keyOf(id: string): string {
  return id ? prefix + fileOf(id) : prefix;
}
