import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { resourcesOf } from "@nido/contract";
import { KeyedMutex } from "../../platform/KeyedMutex.ts";
import { newSecrets } from "../lifecycle/newSecrets.ts";
import { cronDueNow, siteFolder } from "../siteFolder.ts";
import { dumpFile, readDesiredState, restoringFolder } from "./desiredState.ts";
import { endProcessesOf } from "./endProcesses.ts";
import { fpmConfig } from "./fpmConfig.ts";
import { MariaDb } from "./MariaDb.ts";
import { accountOf, phpFolder, phpSocket, sitesGroup } from "./names.ts";
import { isListening, startFpm } from "./startFpm.ts";
import { createAccount, groupId, removeAccount, userId } from "./unixAccounts.ts";
import type { Verb } from "./verbs.ts";

interface Options {
  dataDir: string;
  runFolder: string;
  /** the group of the web process, which may enter the sites' folders */
  webGroup: number;
  /** the database's socket */
  mariadb: string;
}

const run = promisify(execFile);
const chmodTimeout = 30 * 60_000;

/** The site manager: does what needs root for a site's unix user, database, file owners and PHP-FPM. */
export class SiteManager {
  private readonly options: Options;
  private readonly mariadb: MariaDb;
  private readonly sites = new KeyedMutex();
  private readonly actions: Record<Verb, (id: string) => Promise<void>> = {
    database: (id) => this.createDatabase(id),
    files: (id) => this.createFiles(id),
    start: (id) => this.start(id),
    stop: (id) => this.stop(id),
    remove: (id) => this.remove(id),
    dump: (id) => this.dump(id),
    restore: (id) => this.restore(id),
  };

  constructor(options: Options) {
    this.options = options;
    this.mariadb = new MariaDb(options.mariadb);
  }

  perform(verb: Verb, id: string): Promise<void> {
    return this.sites.run(id, () => this.actions[verb](id));
  }

  private async createDatabase(id: string) {
    const { dataDir } = this.options;
    const { core, prepared } = readDesiredState(dataDir, id);
    this.createEmptyDatabase(id);
    if (prepared) this.mariadb.import(accountOf(id), join(dataDir, "wordpress", core, prepared));
  }

  private createEmptyDatabase(id: string) {
    createAccount(accountOf(id));
    this.mariadb.create(accountOf(id));
  }

  private async createFiles(id: string) {
    const { dataDir } = this.options;
    const folder = siteFolder(dataDir, id);
    const { recipe, core } = readDesiredState(dataDir, id);
    for (const name of ["plugins", "themes", "uploads"]) await mkdir(join(folder.content, name), { recursive: true });
    for (const name of [folder.state, folder.mail, join(folder.root, "tmp")]) await mkdir(name, { recursive: true });
    const languages = join(dataDir, "wordpress", core, "wordpress/wp-content/languages");
    await cp(languages, join(folder.content, "languages"), { recursive: true });
    const settings = {
      content: folder.content,
      state: folder.state,
      mail: folder.mail,
      database: { name: accountOf(id), socket: this.mariadb.socket },
      memory: `${resourcesOf(recipe).memory}M`,
      secrets: newSecrets(),
    };
    await writeFile(folder.settings, JSON.stringify(settings, null, 2));
    await this.setOwners(id);
  }

  /**
   * The site's root folder belongs to root, so that the site cannot replace a folder that root works with. The folders
   * inside belong to the site. Apart from the site, only the web process may enter.
   */
  private async setOwners(id: string) {
    const { root, content, state, mail } = siteFolder(this.options.dataDir, id);
    const owner = accountOf(id);
    await chown(root, 0, this.options.webGroup);
    await chmod(root, 0o751);
    execFileSync("chown", ["-R", "-h", `${owner}:${sitesGroup}`, content, state, mail, join(root, "tmp")]);
    // Both write here: the site leaves files, and the web process removes them.
    for (const folder of [state, mail]) {
      await chown(folder, userId(owner) as number, this.options.webGroup);
      await chmod(folder, 0o770);
    }
  }

  private async start(id: string) {
    const { dataDir, runFolder, webGroup } = this.options;
    const desired = readDesiredState(dataDir, id);
    const socket = phpSocket(runFolder, id, desired);
    if (await isListening(socket)) return;
    await this.stop(id);
    const uid = this.requireUser(id);

    const folder = dirname(socket);
    await mkdir(folder, { recursive: true });
    await chown(folder, uid, webGroup);
    await chmod(folder, 0o710);
    const { recipe, core, platform } = desired;
    const config = join(dirname(folder), `${id}.conf`);
    const site = siteFolder(dataDir, id).root;
    await writeFile(config, fpmConfig({ site, socket, recipe }));
    const sandbox = {
      uid,
      gid: groupId(sitesGroup),
      writable: [site, folder],
      // The folder of the database's socket, not the socket: a restart of MariaDB creates a new one.
      readable: [join(dataDir, "wordpress", core), platform, config, dirname(this.mariadb.socket)],
    };
    await startFpm({ siteId: id, socket, config, sandbox });
  }

  private async stop(id: string) {
    const uid = userId(accountOf(id));
    if (uid !== undefined) await endProcessesOf(uid);
  }

  private async dump(id: string) {
    const { content, backup } = siteFolder(this.options.dataDir, id);
    const uid = this.requireUser(id);
    // Files that the site made unreadable for others would be missing from its backup.
    await run("chmod", ["-R", "u+rwX,go+rX", content], { uid, gid: groupId(sitesGroup), timeout: chmodTimeout }).catch(
      () => undefined, // files of other owners stay as they are
    );
    await mkdir(backup, { recursive: true });
    await chown(backup, 0, this.options.webGroup);
    await chmod(backup, 0o770);
    await this.mariadb.dump(accountOf(id), join(backup, dumpFile));
  }

  private async restore(id: string) {
    const { root, backup, state, mail, nextCron } = siteFolder(this.options.dataDir, id);
    const restoring = restoringFolder(this.options.dataDir, id);
    if (!existsSync(join(restoring, "backup", dumpFile)))
      throw new Error(`site ${id} has no unpacked backup to restore`);
    await this.remove(id);
    this.createEmptyDatabase(id);
    await rename(restoring, root);
    for (const name of [state, mail, join(root, "tmp")]) await mkdir(name, { recursive: true });
    await writeFile(nextCron, cronDueNow);
    await this.setOwners(id);
    this.mariadb.import(accountOf(id), join(backup, dumpFile));
  }

  private async remove(id: string) {
    const name = accountOf(id);
    await this.stop(id);
    // The account is created first and removed last, so without one there is no database.
    if (userId(name) !== undefined) this.mariadb.drop(name);
    // The rm program does not follow symbolic links, even if the site replaces a folder with one meanwhile.
    await run("rm", ["-rf", "--one-file-system", siteFolder(this.options.dataDir, id).root]);
    const folder = phpFolder(this.options.runFolder, id);
    await rm(folder, { recursive: true, force: true });
    await rm(`${folder}.conf`, { force: true });
    removeAccount(name);
  }

  private requireUser(id: string): number {
    const uid = userId(accountOf(id));
    if (uid === undefined) throw new Error(`site ${id} has no unix user ${accountOf(id)}`);
    return uid;
  }
}
