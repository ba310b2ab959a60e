import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, chown, cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { recipes, resourcesOf } from "@nido/contract";
import { z } from "zod";
import { InTurn } from "../../platform/KeyedMutex.ts";
import { newSecrets } from "../newSecrets.ts";
import { dueNow, siteFolder } from "../siteFolder.ts";
import { dumpFile, restoringFolder, wishFile } from "./desiredState.ts";
import { findFpm } from "./findFpm.ts";
import { fpmConfig } from "./fpmConfig.ts";
import { accountOf, phpFolder, phpSocket, sitesGroup } from "./names.ts";
import { enclosed } from "./sandbox.ts";
import { createAccount, groupId, removeAccount, userId } from "./unixAccounts.ts";
import type { Verb } from "./verbs.ts";

interface Options {
  dataDir: string;
  runFolder: string;
  /** of the process that serves the sites: it may enter their folders */
  webGroup: number;
  /** the database's socket */
  mariadb: string;
}

const wishes = z.object({
  recipe: z.enum(recipes),
  core: z.string().regex(/^\d+(\.\d+){1,3}$/),
  platform: z.string().regex(/\/platform-[0-9a-f]+$/),
  prepared: z
    .string()
    .regex(/^platform-[0-9a-f]+-[a-z]+\.sql$/)
    .optional(),
});

const run = promisify(execFile);
const longest = 30 * 60_000;
const patience = 5000;

/** Does for a site what only root can: its user, its database, its files' owner, its PHP. */
export class SiteKeeper {
  private readonly options: Options;
  private readonly sites = new InTurn();

  constructor(options: Options) {
    this.options = options;
  }

  perform(verb: Verb, id: string): Promise<void> {
    return this.sites.run(id, () => this[verb](id));
  }

  private async database(id: string) {
    const { core, prepared } = this.readWish(id);
    this.createDatabase(id);
    if (prepared) this.importDump(id, join(this.options.dataDir, "wordpress", core, prepared));
  }

  private createDatabase(id: string) {
    const name = accountOf(id);
    createAccount(name);
    this.sql(
      `create or replace database \`${name}\` character set utf8mb4;
       create or replace user '${name}'@'localhost' identified via unix_socket;
       grant all on \`${name}\`.* to '${name}'@'localhost';`,
    );
  }

  private async files(id: string) {
    const folder = siteFolder(this.options.dataDir, id);
    const { recipe, core } = this.readWish(id);
    for (const name of ["plugins", "themes", "uploads"]) await mkdir(join(folder.content, name), { recursive: true });
    for (const name of [folder.state, folder.mail, join(folder.root, "tmp")]) await mkdir(name, { recursive: true });
    const languages = join(this.options.dataDir, "wordpress", core, "wordpress/wp-content/languages");
    await cp(languages, join(folder.content, "languages"), { recursive: true });
    const settings = {
      content: folder.content,
      state: folder.state,
      mail: folder.mail,
      database: { name: accountOf(id), socket: this.options.mariadb },
      memory: `${resourcesOf(recipe).memory}M`,
      secrets: newSecrets(),
    };
    await writeFile(folder.settings, JSON.stringify(settings, null, 2));
    await this.giveAway(id);
  }

  /**
   * The folder itself is root's, so that the site cannot put another thing in the place of what root works with; the
   * folders in it are the site's. Of others only the web's process may look into it.
   */
  private async giveAway(id: string) {
    const { root, content, state, mail } = siteFolder(this.options.dataDir, id);
    const owner = accountOf(id);
    await chown(root, 0, this.options.webGroup);
    await chmod(root, 0o751);
    execFileSync("chown", ["-R", "-h", `${owner}:${sitesGroup}`, content, state, mail, join(root, "tmp")]);
    // Where both write: what the site tells, and what is taken away when it was read.
    for (const folder of [state, mail]) {
      await chown(folder, userId(owner) as number, this.options.webGroup);
      await chmod(folder, 0o770);
    }
  }

  private async start(id: string) {
    const { dataDir, runFolder, webGroup } = this.options;
    const wish = this.readWish(id);
    const socket = phpSocket(runFolder, id, wish);
    if (await isListening(socket)) return;
    await this.stop(id);
    const uid = userId(accountOf(id));
    if (uid === undefined) throw new Error("the site has no user");

    const folder = dirname(socket);
    await mkdir(folder, { recursive: true });
    await chown(folder, uid, webGroup);
    await chmod(folder, 0o710);
    const { recipe, core, platform } = wish;
    const coreFolder = join(dataDir, "wordpress", core);
    const config = join(dirname(folder), `${id}.conf`);
    const site = siteFolder(dataDir, id).root;
    await writeFile(config, fpmConfig({ site, socket, recipe }));
    const [command, args] = enclosed(
      {
        uid,
        gid: groupId(sitesGroup),
        own: [site, folder],
        // The database's folder, not its socket: that is another one after a restart.
        shared: [coreFolder, platform, config, dirname(this.options.mariadb)],
      },
      [requireFpm(), "--nodaemonize", "--fpm-config", config],
    );
    const php = spawn(command, args, { stdio: "ignore", detached: true });
    php.unref();
    for (let waited = 0; !(await isListening(socket)); waited += 5) {
      if (waited > patience || php.exitCode !== null) throw new Error("PHP did not start");
      await pause(5);
    }
  }

  /** Ends every process of the site's user, whatever it is. */
  private async stop(id: string) {
    const uid = userId(accountOf(id));
    if (uid === undefined) return;
    for (let waited = 0; processesOf(uid).length > 0; waited += 10) {
      for (const pid of processesOf(uid)) kill(pid, waited > patience ? "SIGKILL" : "SIGTERM");
      if (waited > 2 * patience) throw new Error("the site's processes do not end");
      await pause(10);
    }
  }

  private async dump(id: string) {
    const { content, backup } = siteFolder(this.options.dataDir, id);
    const uid = userId(accountOf(id));
    if (uid === undefined) throw new Error("there is no such site");
    // What the site has closed to others would be missing from its backup.
    await run("chmod", ["-R", "u+rwX,go+rX", content], { uid, gid: groupId(sitesGroup), timeout: longest }).catch(
      () => undefined, // what is not its own stays as it is
    );
    await mkdir(backup, { recursive: true });
    await chown(backup, 0, this.options.webGroup);
    await chmod(backup, 0o770);
    const options = ["--no-defaults", `--socket=${this.options.mariadb}`, "--single-transaction", "--skip-comments"];
    const file = `--result-file=${join(backup, dumpFile)}`;
    await run("mariadb-dump", [...options, file, accountOf(id)], { timeout: longest });
  }

  private async restore(id: string) {
    const { root, backup, state, mail } = siteFolder(this.options.dataDir, id);
    const restoring = restoringFolder(this.options.dataDir, id);
    if (!existsSync(join(restoring, "backup", dumpFile))) throw new Error("there is nothing to restore");
    await this.remove(id);
    this.createDatabase(id);
    await rename(restoring, root);
    for (const name of [state, mail, join(root, "tmp")]) await mkdir(name, { recursive: true });
    await writeFile(join(state, "timetable"), dueNow);
    await this.giveAway(id);
    this.importDump(id, join(backup, dumpFile));
  }

  /** As the site's own user: the file is not to be trusted with more. */
  private importDump(id: string, file: string) {
    execFileSync("mariadb", ["--no-defaults", `--socket=${this.options.mariadb}`, accountOf(id)], {
      input: readFileSync(file),
      uid: userId(accountOf(id)) as number,
      gid: groupId(sitesGroup),
      env: { USER: accountOf(id) },
    });
  }

  private async remove(id: string) {
    const name = accountOf(id);
    await this.stop(id);
    // The account is made first and removed last: without one there is no database.
    if (userId(name) !== undefined)
      this.sql(`drop database if exists \`${name}\`; drop user if exists '${name}'@'localhost';`);
    // Not by paths that the site could exchange meanwhile.
    await run("rm", ["-rf", "--one-file-system", siteFolder(this.options.dataDir, id).root]);
    const folder = phpFolder(this.options.runFolder, id);
    await rm(folder, { recursive: true, force: true });
    await rm(`${folder}.conf`, { force: true });
    removeAccount(name);
  }

  private readWish(id: string) {
    const { dataDir } = this.options;
    const { success, data } = wishes.safeParse(JSON.parse(readFileSync(wishFile(dataDir, id), "utf8")));
    if (!success || dirname(data.platform) !== join(dataDir, "wordpress")) throw new Error("the wish is not possible");
    return data;
  }

  private sql(statements: string) {
    execFileSync("mariadb", ["--no-defaults", "--user=root", `--socket=${this.options.mariadb}`], {
      input: statements,
    });
  }
}

/** Asked of the processes themselves: what a site writes down about them need not be true. */
function processesOf(uid: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1 && uidOf(pid) === uid);
}

function uidOf(pid: number): number | undefined {
  try {
    const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(uid);
  } catch {
    return undefined; // gone by now
  }
}

function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function requireFpm(): string {
  const program = findFpm();
  if (!program) throw new Error("there is no PHP-FPM on this machine");
  return program;
}
