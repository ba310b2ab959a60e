import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { Readable } from "node:stream";
import { folderSize } from "../platform/folderSize.ts";
import type { OpenedBackup } from "./BackupStore.ts";
import type { CoreStore } from "./core/CoreStore.ts";
import { listMessages, moveMessages, readMessage, removeMessage } from "./outbox.ts";
import { packSite } from "./packSite.ts";
import { ReportReader } from "./ReportReader.ts";
import { siteFolder } from "./siteFolder.ts";
import type { Site, SiteFolders, SiteReport, WaitingMessage } from "./WordPressRuntime.ts";

/** The part of a runtime that works on the folders of the sites, for runtimes that keep them on this machine. */
export abstract class LocalRuntime {
  protected readonly dataDir: string;
  private readonly reports = new ReportReader();
  readonly name = "local";
  readonly cores: CoreStore;
  abstract readonly phpVersions: readonly string[];
  /** the file name of a database's copy */
  protected abstract readonly copyName: string;

  constructor({ dataDir, cores }: { dataDir: string; cores: CoreStore }) {
    this.dataDir = dataDir;
    this.cores = cores;
  }

  /** Writes a consistent copy of the database into the site's `backup` folder. */
  protected abstract snapshot(site: Site): Promise<void>;

  /** Replaces the site with a backup, which contains no mail. */
  protected abstract replace(site: Site, backup: OpenedBackup): Promise<void>;

  /** Its own, if that is still there. */
  protected phpOf({ php }: Site): string | undefined {
    return php !== undefined && this.phpVersions.includes(php) ? php : this.phpVersions[0];
  }

  async restore(site: Site, backup: OpenedBackup) {
    const { mail } = siteFolder(this.dataDir, site.id);
    const waiting = join(this.dataDir, "waiting-mail", site.id);
    await moveMessages(mail, waiting);
    await this.replace(site, backup);
    await moveMessages(waiting, mail);
    await rm(waiting, { recursive: true, force: true });
  }

  folders({ id, core }: Site): SiteFolders {
    return { core: this.cores.open(core).folder, content: siteFolder(this.dataDir, id).content };
  }

  async report(siteId: string): Promise<SiteReport> {
    return this.reports.read(siteFolder(this.dataDir, siteId));
  }

  async diskUse(siteId: string): Promise<number> {
    return folderSize(siteFolder(this.dataDir, siteId).root);
  }

  async hasPrepared(core: string, name: string): Promise<boolean> {
    return existsSync(this.preparedFile(core, name));
  }

  async savePrepared(site: Site, name: string) {
    const file = this.preparedFile(site.core, name);
    await this.snapshot(site);
    await copyFile(join(siteFolder(this.dataDir, site.id).backup, this.copyName), `${file}.new`);
    await rename(`${file}.new`, file);
  }

  protected preparedFile(core: string, name: string): string {
    return join(dirname(this.cores.open(core).folder), name + extname(this.copyName));
  }

  async installedCore(siteId: string): Promise<string | undefined> {
    return readFile(siteFolder(this.dataDir, siteId).installedMark, "utf8").catch(() => undefined);
  }

  async markInstalled({ id, core }: Site) {
    const { installedMark } = siteFolder(this.dataDir, id);
    await mkdir(dirname(installedMark), { recursive: true });
    await writeFile(installedMark, core);
  }

  async unmarkInstalled(siteId: string) {
    await rm(siteFolder(this.dataDir, siteId).installedMark, { force: true });
  }

  async pack(site: Site, signal: AbortSignal): Promise<Readable> {
    await this.snapshot(site);
    const { root, snapshot } = siteFolder(this.dataDir, site.id);
    return packSite({ root, settings: root, snapshot }, signal);
  }

  listMail(siteId: string, limit: number): Promise<string[]> {
    return listMessages(siteFolder(this.dataDir, siteId).mail, limit);
  }

  readMail(siteId: string, name: string, maxBytes: number): Promise<WaitingMessage | undefined> {
    return readMessage(siteFolder(this.dataDir, siteId).mail, name, maxBytes);
  }

  removeMail(siteId: string, name: string) {
    return removeMessage(siteFolder(this.dataDir, siteId).mail, name);
  }
}
