import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { unpackSqliteDriver } from "./sqliteDriver.ts";

/** A WordPress that all sites share and none can change. */
export interface Core {
  version: string;
  /** holds `wordpress`, WordPress itself, `nido`, our PHP, and `sqlite`, the database driver */
  folder: string;
}

/** Puts a WordPress into an empty folder; throws with the reason where it cannot. */
export type CoreSource = (target: string) => Promise<void>;

const phpFolder = join(import.meta.dirname, "../php");

/** The WordPress versions of this installation: one is current, older ones stay while a site runs on them. */
export class CoreStore {
  private readonly folder: string;
  private readonly sources: Record<string, CoreSource>;
  private readonly log: FastifyBaseLogger;
  private fetching: Promise<Core> | undefined;

  constructor(dataDir: string, sources: Record<string, CoreSource>, log: FastifyBaseLogger) {
    this.folder = join(dataDir, "wordpress");
    this.sources = sources;
    this.log = log;
  }

  /** The current version, fetched where there is none yet. Whoever asks meanwhile waits for the same one. */
  async current(): Promise<Core> {
    const version = await readFile(join(this.folder, "current"), "utf8").catch(() => undefined);
    return version && existsSync(this.pathOf(version)) ? this.open(version) : this.update();
  }

  /** A version that is still kept, for a site that runs on it. */
  open(version: string): Core {
    return { version, folder: this.pathOf(version) };
  }

  /** Fetches the newest version there is, and makes it the current one. */
  update(): Promise<Core> {
    this.fetching ??= this.fetch().finally(() => {
      this.fetching = undefined;
    });
    return this.fetching;
  }

  /** Removes the versions that no site runs on. */
  async keepOnly(versions: string[]) {
    const current = await this.current();
    const kept = new Set([...versions, current.version]);
    for (const name of await readdir(this.folder)) {
      if (/^\d/.test(name) && !kept.has(name)) await rm(this.pathOf(name), { recursive: true, force: true });
    }
  }

  private async fetch(): Promise<Core> {
    await mkdir(this.folder, { recursive: true });
    const unfinished = join(this.folder, "unfinished");
    const wordpress = join(unfinished, "wordpress");
    await this.fill(unfinished, wordpress);
    const version = await versionOf(wordpress);

    const target = this.pathOf(version);
    if (!existsSync(target)) {
      await cp(phpFolder, join(unfinished, "nido"), { recursive: true });
      // WordPress looks for its configuration one level above itself.
      await rename(join(unfinished, "nido/wp-config.php"), join(unfinished, "wp-config.php"));
      await unpackSqliteDriver(join(unfinished, "sqlite"));
      await rename(unfinished, target);
    }
    await writeFile(join(this.folder, "current.new"), version);
    await rename(join(this.folder, "current.new"), join(this.folder, "current"));
    return this.open(version);
  }

  /** From the first source that has it. */
  private async fill(unfinished: string, wordpress: string) {
    const reasons: string[] = [];
    for (const [name, fetchFrom] of Object.entries(this.sources)) {
      await rm(unfinished, { recursive: true, force: true });
      await mkdir(wordpress, { recursive: true });
      try {
        await fetchFrom(wordpress);
        return;
      } catch (error) {
        reasons.push(`${name}: ${(error as Error).message}`);
        this.log.debug({ err: error }, `WordPress could not be had from ${name}`);
      }
    }
    throw new CoreMissing(reasons);
  }

  private pathOf(version: string) {
    return join(this.folder, version);
  }
}

/** WordPress itself could be had from nowhere. */
export class CoreMissing extends Error {
  override name = "CoreMissing";

  constructor(reasons: string[]) {
    super(`WordPress could not be had. ${reasons.join(" ")} Set WORDPRESS_CORE to a folder or a zip that contains it.`);
  }
}

export async function versionOf(wordpress: string): Promise<string> {
  const source = await readFile(join(wordpress, "wp-includes/version.php"), "utf8").catch(() => "");
  const version = /\$wp_version = '([\d.]+)/.exec(source)?.[1];
  if (!version) throw new Error(`${wordpress} is not a WordPress`);
  return version;
}
