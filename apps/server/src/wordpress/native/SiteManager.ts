import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, existsSync } from "node:fs";
import { chmod, chown, type FileHandle, mkdir, open, rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { promisify } from "node:util";
import { KeyedMutex } from "../../platform/KeyedMutex.ts";
import { siteFolder } from "../siteFolder.ts";
import type { Cgroups } from "./Cgroups.ts";
import { type DesiredState, dumpFile, readDesiredState } from "./desiredState.ts";
import { endProcessesOf } from "./endProcesses.ts";
import { fpmConfig } from "./fpmConfig.ts";
import { inGroups } from "./joinGroups.ts";
import { loopbackFolder } from "./Loopback.ts";
import { MariaDb } from "./MariaDb.ts";
import { accountOf, phpFolder, phpSocket, sitesGroup } from "./names.ts";
import type { SiteDisk } from "./SiteDisk.ts";
import { SiteFiles } from "./SiteFiles.ts";
import { passwdOf, sftpCommand } from "./sftpCommand.ts";
import { imageLimits, siteLimits } from "./siteLimits.ts";
import { isListening, startFpm } from "./startFpm.ts";
import { openTrusted } from "./trustedFiles.ts";
import { createAccount, groupId, removeAccount, requireUser, userId } from "./unixAccounts.ts";
import type { Verb } from "./verbs.ts";

interface Options {
  dataDir: string;
  runFolder: string;
  /** the user of the web process, and its group, which may enter the sites' folders */
  webUser: number;
  webGroup: number;
  /** the database's socket */
  mariadb: string;
  /** undefined on a machine that cannot limit sites this way */
  cgroups: Cgroups | undefined;
  disk: SiteDisk | undefined;
}

const run = promisify(execFile);
const maxSftpServers = 8;

/** The site manager: does what needs root for a site's unix user, database, files, limits and PHP-FPM. */
export class SiteManager {
  private readonly options: Options;
  private readonly mariadb: MariaDb;
  private readonly files: SiteFiles;
  private readonly sites = new KeyedMutex();
  private readonly sftpServers = new Map<string, Set<ChildProcess>>();
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
    const { dataDir, webGroup, mariadb: databaseSocket } = options;
    this.files = new SiteFiles({ dataDir, webGroup, databaseSocket });
  }

  perform(verb: Verb, id: string): Promise<void> {
    return this.sites.run(id, () => this.actions[verb](id));
  }

  /** Starts an SFTP server for the site's content, with the site's rights and limits, that speaks on this connection. */
  openFiles(id: string, socket: Socket) {
    return this.sites.run(id, async () => {
      const { dataDir, cgroups } = this.options;
      const account = { uid: requireUser(accountOf(id)), gid: groupId(sitesGroup) };
      const running = this.sftpServers.get(id) ?? new Set();
      // One may have outlived its connection, for example while it opens a FIFO.
      const [oldest] = running;
      if (running.size >= maxSftpServers) oldest?.kill("SIGKILL");
      const { recipe } = await this.desired(id);
      const groups = (await cgroups?.limit(id, siteLimits(recipe).group)) ?? [];
      const [command, args] = inGroups(groups, sftpCommand(siteFolder(dataDir, id).content, account));
      // The client may have given up while another command held the site.
      if (socket.destroyed) return;
      await new Promise<void>((resolve) => socket.write("ok\n", () => resolve()));
      const server = spawn(command, args, { stdio: [socket, socket, "inherit", "pipe"] });
      const forget = () => {
        running.delete(server);
        if (running.size === 0) this.sftpServers.delete(id);
      };
      server.once("exit", forget).once("error", forget);
      this.sftpServers.set(id, running.add(server));
      (server.stdio?.[3] as Writable | undefined)?.on("error", () => undefined).end(passwdOf(account));
      // From here on it is the server's.
      socket.destroy();
    });
  }

  private async createDatabase(id: string) {
    const { dataDir, webUser } = this.options;
    const { recipe, core, prepared } = await this.desired(id);
    const fill = async () => {
      await this.createEmptyDatabase(id);
      if (!prepared) return;
      await withFile(join(dataDir, "wordpress", core, prepared), webUser, ({ fd }) =>
        this.mariadb.import(accountOf(id), fd),
      );
    };
    // The disk is only needed later, but it can be created while MariaDB works.
    await Promise.all([this.options.disk?.prepare(id, siteLimits(recipe).disk), fill()]);
  }

  private async createEmptyDatabase(id: string) {
    createAccount(accountOf(id));
    await this.mariadb.create(accountOf(id));
  }

  private async createFiles(id: string) {
    const { recipe, core } = await this.desired(id);
    await this.options.disk?.prepare(id, siteLimits(recipe).disk);
    const languages = join(this.options.dataDir, "wordpress", core, "wordpress/wp-content/languages");
    await this.files.create(id, { languages });
  }

  private async start(id: string) {
    const { dataDir, runFolder, webGroup, cgroups, disk } = this.options;
    const desired = await this.desired(id);
    const socket = phpSocket(runFolder, id, desired);
    if (await isListening(socket)) return;
    await this.stop(id);
    const { recipe, core, php, platform } = desired;
    const limits = siteLimits(recipe);
    if (disk && existsSync(disk.imageOf(id))) await disk.prepare(id, limits.disk);
    const groups = (await cgroups?.limit(id, limits.group)) ?? [];
    const site = siteFolder(dataDir, id).root;
    // Both are done before the first request reaches PHP.
    const limiting = this.mariadb.limit(accountOf(id), limits.database);
    const starting = startFpm({
      siteId: id,
      php,
      socket,
      webGroup,
      configure: async (listen) => {
        const config = `${phpFolder(runFolder, id)}.conf`;
        await writeFile(config, fpmConfig({ site, socket: listen, recipe }));
        return config;
      },
      sandbox: {
        uid: requireUser(accountOf(id)),
        gid: groupId(sitesGroup),
        writable: [site],
        // The folder of the database's socket, not the socket: a restart of MariaDB creates a new one.
        readable: [join(dataDir, "wordpress", core), platform, dirname(this.mariadb.socket), loopbackFolder(dataDir)],
        env: imageLimits(recipe),
      },
      groups,
    });
    await Promise.all([limiting, starting]);
  }

  private async stop(id: string) {
    const uid = userId(accountOf(id));
    if (uid === undefined) return;
    await this.options.cgroups?.forbidNewProcesses(id);
    for (const server of this.sftpServers.get(id) ?? []) {
      // One that is starting still belongs to root.
      const ended = once(server, "exit");
      if (server.kill("SIGKILL")) await ended;
    }
    await endProcessesOf(uid);
    await this.options.cgroups?.remove(id);
  }

  private async dump(id: string) {
    const { content, backup } = siteFolder(this.options.dataDir, id);
    requireUser(accountOf(id));
    // Files that the site made unreadable for others would be missing from its backup. The site's user can only
    // change its own files.
    await this.files.runAs(id, "chmod", ["-R", "u+rwX,go+rX", content]).catch(() => undefined);
    await mkdir(backup, { recursive: true });
    await chown(backup, 0, this.options.webGroup);
    await chmod(backup, 0o770);
    const path = join(backup, dumpFile);
    await rm(path, { force: true });
    // The web process can write to this folder, too: a link that it puts here must not be followed.
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW);
    try {
      await file.chown(this.options.webUser, this.options.webGroup);
      await this.mariadb.dump(accountOf(id), file.fd);
    } finally {
      await file.close();
    }
  }

  private async restore(id: string) {
    const { dataDir, webUser } = this.options;
    const { backup, recipe } = await this.desired(id);
    if (!backup) throw new Error(`the desired state of site ${id} names no backup`);
    const path = join(dataDir, "backups", id, backup);
    await withFile(path, webUser, ({ fd }) => this.files.checkBackup(fd, webUser));
    await this.remove(id);
    await this.createEmptyDatabase(id);
    await this.options.disk?.prepare(id, siteLimits(recipe).disk);
    const secrets = await withFile(path, webUser, ({ fd }) => this.files.unpack(id, fd));
    await withFile(path, webUser, ({ fd }) => this.mariadb.import(accountOf(id), this.files.readDump(id, fd)));
    await this.files.create(id, { secrets });
    await this.files.finishRestore(id);
  }

  private async remove(id: string) {
    const { dataDir, runFolder, disk } = this.options;
    const name = accountOf(id);
    await this.stop(id);
    // The account is created first and removed last, so without one there is no database.
    if (userId(name) !== undefined) await this.mariadb.drop(name);
    await disk?.remove(id);
    // The rm program does not follow symbolic links, even if the site replaces a folder with one meanwhile.
    const { root, snapshot } = siteFolder(dataDir, id);
    await run("rm", ["-rf", "--one-file-system", root, snapshot]);
    const folder = phpFolder(runFolder, id);
    await rm(folder, { recursive: true, force: true });
    await rm(`${folder}.conf`, { force: true });
    removeAccount(name);
  }

  private desired(id: string): Promise<DesiredState> {
    return readDesiredState(this.options.dataDir, this.options.webUser, id);
  }
}

/** Opens a file of the web process, for as long as `use` takes. */
async function withFile<Result>(path: string, webUser: number, use: (file: FileHandle) => Promise<Result>) {
  const file = await openTrusted(path, webUser);
  return use(file).finally(() => file.close());
}
