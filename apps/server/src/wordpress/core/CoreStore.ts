import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { createFolderAtomically } from "./createFolderAtomically.ts";
import { addLanguages, hasSpanishEditor } from "./languages.ts";
import { isOlder, isSameMinor, minorOf } from "./version.ts";

/** An installed WordPress version, shared read-only by all sites. */
export interface Core {
  version: string;
  folder: string;
}

/** Puts WordPress into an empty folder; throws with the reason if it cannot. */
export type CoreSource = (
  target: string,
  /** `line`: a version whose release line is meant; default: the newest version */
  options: { line: string | undefined; signal: AbortSignal },
) => Promise<void>;

/** WordPress also looks for wp-config.php in its parent folder. */
const configuration = "<?php\nrequire $_SERVER['NIDO_PLATFORM'] . '/nido/wp-config.php';\n";

/** The WordPress versions that sites can run on. */
export interface Cores {
  /** the one for new sites */
  current(): Promise<Core>;
  open(version: string): Core;
  has(version: string): boolean;
  /** The newest installed version of a release line: 6.8.3 for 6.8.1. */
  latestOf(version: string): Promise<string>;
  /** Looks for newer versions: the newest of all, which becomes the current one, and of the lines of these versions. */
  update(versions?: string[]): Promise<Core>;
  /** Removes the versions that no site runs on. */
  keepOnly(versions: string[]): Promise<void>;
  stop(): void;
}

/** The installed WordPress versions. One is current; others are kept while a site runs on them. */
export class CoreStore implements Cores {
  private readonly folder: string;
  private readonly sources: Record<string, CoreSource>;
  private readonly log: Pick<FastifyBaseLogger, "warn">;
  private readonly stopping = new AbortController();
  private readonly languages: string | undefined;
  private fetching: Promise<Core> | undefined;
  /** the version whose translations were looked at */
  private translated: string | undefined;

  /** `languages`: a folder or zip with language packs, which are added to those of the source */
  constructor(
    folder: string,
    sources: Record<string, CoreSource>,
    log: Pick<FastifyBaseLogger, "warn">,
    languages?: string,
  ) {
    this.folder = folder;
    this.sources = sources;
    this.log = log;
    this.languages = languages;
  }

  /** The current version, fetched if there is none yet. Concurrent calls share one download. */
  async current(): Promise<Core> {
    const version = await this.readCurrent();
    const core = version && existsSync(this.pathOf(version)) ? this.open(version) : await this.update();
    if (this.translated !== core.version) await this.translate(core);
    return core;
  }

  /** An installed version. */
  open(version: string): Core {
    return { version, folder: join(this.pathOf(version), "wordpress") };
  }

  has(version: string): boolean {
    return existsSync(this.open(version).folder);
  }

  async latestOf(version: string): Promise<string> {
    const installed = (await readdir(this.folder)).filter((name) => /^\d/.test(name) && isSameMinor(name, version));
    return installed.reduce((newest, each) => (isOlder(newest, each) ? each : newest), version);
  }

  update(versions: string[] = []): Promise<Core> {
    this.fetching ??= this.fetchAll(versions).finally(() => {
      this.fetching = undefined;
    });
    return this.fetching;
  }

  private async fetchAll(versions: string[]): Promise<Core> {
    const newest = await this.fetch();
    const lines = new Map(versions.map((version) => [minorOf(version), version]));
    lines.delete(minorOf(newest.version));
    // A line that a source no longer has stays as it is.
    for (const version of lines.values())
      await this.install(version).catch((error) =>
        this.log.warn({ err: error, version }, "could not look for a newer WordPress of a release line"),
      );
    return newest;
  }

  /** Removes the versions that no site runs on. */
  async keepOnly(versions: string[]) {
    const current = await this.current();
    const kept = new Set([...versions, current.version]);
    for (const name of await readdir(this.folder)) {
      if (/^\d/.test(name) && !kept.has(name)) await rm(this.pathOf(name), { recursive: true, force: true });
    }
  }

  /** Aborts a running download; the next start begins anew. */
  stop() {
    this.stopping.abort();
  }

  private async translate({ version, folder }: Core) {
    this.translated = version;
    if (this.languages) await addLanguages(this.languages, folder);
    if (!(await hasSpanishEditor(folder)))
      this.log.warn(
        `The Spanish translation of WordPress ${version} is not complete: its editor stays English in new sites. Put the official language packs into a folder and set WORDPRESS_LANGUAGES; see docs/OPERATING.md.`,
      );
  }

  /** The newest version, or the newest of a release line. */
  private async install(line?: string): Promise<string> {
    const made = await createFolderAtomically(this.folder, async (unfinished) => {
      const version = await this.fill(join(unfinished, "wordpress"), line);
      await writeFile(join(unfinished, "wp-config.php"), configuration);
      return version;
    });
    return basename(made);
  }

  private async fetch(): Promise<Core> {
    const version = await this.install();
    const current = await this.readCurrent();
    // A source with an older version than the current one changes nothing.
    if (current && existsSync(this.pathOf(current)) && isOlder(version, current)) return this.open(current);
    const newFile = join(this.folder, `current.${process.pid}`);
    await writeFile(newFile, version);
    await rename(newFile, join(this.folder, "current"));
    return this.open(version);
  }

  /** Fills the folder from the first source that succeeds. */
  private async fill(wordpress: string, line: string | undefined): Promise<string> {
    const reasons: string[] = [];
    for (const [name, fetchFrom] of Object.entries(this.sources)) {
      await rm(wordpress, { recursive: true, force: true });
      await mkdir(wordpress);
      try {
        await fetchFrom(wordpress, { line, signal: this.stopping.signal });
        return await versionOf(wordpress);
      } catch (error) {
        this.stopping.signal.throwIfAborted();
        const { cause, message } = error as Error;
        reasons.push(`${name}: ${message}${cause instanceof Error ? ` (${cause.message})` : ""}.`);
      }
    }
    this.log.warn({ reasons }, "no source of WordPress succeeded");
    throw new CoreMissing(reasons);
  }

  private readCurrent(): Promise<string | undefined> {
    return readFile(join(this.folder, "current"), "utf8").catch(() => undefined);
  }

  private pathOf(version: string) {
    return join(this.folder, version);
  }
}

/** No source could provide WordPress. */
export class CoreMissing extends Error {
  override name = "CoreMissing";

  constructor(reasons: string[]) {
    super(
      `No source of WordPress succeeded. ${reasons.join(" ")} Set WORDPRESS_CORE to a folder or a zip that contains it.`,
    );
  }
}

export async function versionOf(wordpress: string): Promise<string> {
  const source = await readFile(join(wordpress, "wp-includes/version.php"), "utf8").catch(() => "");
  const version = /\$wp_version = '([\d.]+)/.exec(source)?.[1];
  if (!version) throw new Error(`${wordpress} does not contain WordPress`);
  return version;
}
