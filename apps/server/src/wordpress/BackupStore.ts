import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Duplex, Readable, pipeline as streamPipeline } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Bucket } from "../platform/Bucket.ts";
import { endOfTar, filterTar } from "../platform/filterTar.ts";
import { requireRoom } from "../platform/requireRoom.ts";

const backupName = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.tar\.gz$/;

const mergedName = "merged.tar.gz";
/** the entry of a backup with the secrets of its site */
export const settingsName = "site.json";

/** When a backup was made. */
export function backupDate(name: string): Date {
  return new Date(name.replace(backupName, "$1:$2:$3.$4Z"));
}

/** A backup, opened for reading. */
export interface OpenedBackup {
  stream(): Promise<Readable>;
  /** The path of a file on this machine with the same content. It is removed with `close` if it is only a copy. */
  file(): Promise<string>;
  close(): Promise<void>;
}

export interface StoredBackup {
  siteId: string;
  name: string;
}

/** Some of one backup and the rest of another. */
export interface MergedBackup {
  chosen?: StoredBackup;
  isChosen: (path: string) => boolean;
  rest: StoredBackup;
  /** entries that are in neither */
  added?: () => AsyncIterable<Buffer>;
}

/** The backups of all sites: in a bucket if there is one, otherwise in a folder. */
export class BackupStore {
  private readonly folder: string;
  private readonly bucket: Bucket | undefined;

  constructor(dataDir: string, bucket: Bucket | undefined) {
    this.folder = join(dataDir, "backups");
    this.bucket = bucket;
  }

  /** Stores a backup, as a whole or not at all. Returns its name. */
  async add(siteId: string, content: Readable): Promise<string> {
    const name = `${new Date().toISOString().replace(/[:.]/g, "-")}.tar.gz`;
    if (this.bucket) await this.bucket.upload(keyOf(siteId, name), content);
    else await this.write(siteId, name, content);
    return name;
  }

  /** The names of a site's backups, newest first. */
  async list(siteId: string): Promise<string[]> {
    const prefix = keyOf(siteId, "");
    const stored = this.bucket ? await this.bucket.list(prefix) : [];
    // Those in the folder are from before there was a bucket.
    const local = await readdir(this.folderOf(siteId)).catch(() => []);
    const names = new Set([...stored.map((key) => key.slice(prefix.length)), ...local]);
    return [...names]
      .filter((name) => backupName.test(name))
      .sort()
      .reverse();
  }

  open(siteId: string, name: string): OpenedBackup {
    requireName(siteId, name);
    const path = join(this.folderOf(siteId), name);
    const bucket = existsSync(path) ? undefined : this.bucket;
    const read = async () => (bucket ? bucket.read(keyOf(siteId, name)) : (await open(path)).createReadStream());
    return {
      stream: read,
      file: async () => {
        if (bucket) await this.write(siteId, name, await read());
        return path;
      },
      close: async () => {
        if (bucket) await rm(path, { force: true });
      },
    };
  }

  /** Parts of two backups as if they were one of the site. */
  openMerged(siteId: string, { chosen, isChosen, rest, added }: MergedBackup): OpenedBackup {
    const read = (backup: StoredBackup) => this.open(backup.siteId, backup.name).stream();
    // One after the other: a bucket does not keep a connection open for long on which nothing is read.
    async function* merge() {
      if (chosen) yield* entriesOf(await read(chosen), isChosen);
      yield* entriesOf(await read(rest), (path) => !isChosen(path));
      if (added) yield* added();
      yield endOfTar;
    }
    const merged = async () => passThrough(Readable.from(merge()), createGzip({ level: 1 }));
    return {
      stream: merged,
      file: async () => {
        await this.write(siteId, mergedName, await merged());
        return join(this.folderOf(siteId), mergedName);
      },
      close: () => rm(join(this.folderOf(siteId), mergedName), { force: true }),
    };
  }

  /** The path of a file on this machine, for what is needed while a backup of the site is put together. */
  async temporaryFile(siteId: string, name: string): Promise<string> {
    await mkdir(this.folderOf(siteId), { recursive: true, mode: 0o700 });
    return join(this.folderOf(siteId), name);
  }

  /** Throws unless the folder has room for a backup of this size, and some more for everybody else. */
  async requireRoom(bytes: number) {
    if (!this.bucket) await requireRoom(this.folder, bytes);
  }

  async remove(siteId: string, name: string) {
    requireName(siteId, name);
    await this.bucket?.remove(keyOf(siteId, name));
    await rm(join(this.folderOf(siteId), name), { force: true });
  }

  async removeAll(siteId: string) {
    for (const name of await this.list(siteId)) await this.remove(siteId, name);
    await rm(this.folderOf(siteId), { recursive: true, force: true });
  }

  private async write(siteId: string, name: string, content: Readable) {
    const folder = this.folderOf(siteId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Leftovers of interrupted attempts.
    for (const left of await readdir(folder))
      if (left.endsWith(".new") || left === mergedName) await rm(join(folder, left));
    const file = await open(join(folder, `${name}.new`), "wx", 0o600);
    await pipeline(content, file.createWriteStream({ flush: true }));
    await rename(join(folder, `${name}.new`), join(folder, name));
  }

  private folderOf(siteId: string): string {
    return join(this.folder, siteId);
  }
}

/** The chosen entries of a backup, without the mark of its end. */
export async function* entriesOf(archive: Readable, isChosen: (path: string) => boolean) {
  try {
    yield* filterTar(passThrough(archive, createGunzip()), isChosen);
  } finally {
    archive.destroy();
  }
}

/** Whoever reads the result gets the source's error, and ends the source by ending the result. */
export function passThrough<Target extends Duplex>(source: Readable, target: Target): Target {
  streamPipeline(source, target, () => undefined);
  return target;
}

function keyOf(siteId: string, name: string): string {
  return `backups/${siteId}/${name}`;
}

function requireName(siteId: string, name: string) {
  if (!backupName.test(name)) throw new Error(`not a backup of site ${siteId}: ${name}`);
}
