import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { chmod, chown, cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { recipes, resourcesOf } from "@nido/contract";
import { z } from "zod";
import { newSecrets } from "../newSecrets.ts";
import { dueNow, siteFolder } from "../siteFolder.ts";
import { createAccount, groupId, removeAccount, userId } from "./accounts.ts";
import { enclosed } from "./enclosure.ts";
import { fpmConfig } from "./fpmConfig.ts";
import { accountOf, phpFolder, phpSocket, sitesGroup } from "./names.ts";
import type { Verb } from "./verbs.ts";
import { restoringFolder, wishFile } from "./wish.ts";

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
});

const dumpFile = "database.sql";
const patience = 5000;

/** Does for a site what only root can: its user, its database, its files' owner, its PHP. */
export class SiteKeeper {
  private readonly options: Options;
  private readonly busy = new Map<string, Promise<void>>();
  constructor(options: Options) {
    this.options = options;
  }

  /** One thing at a time for each site. */
  perform(verb: Verb, id: string): Promise<void> {
    const before = this.busy.get(id) ?? Promise.resolve();
    const done = before.then(() => this[verb](id));
    const settled = done.catch(() => undefined);
    this.busy.set(id, settled);
    void settled.then(() => this.busy.get(id) === settled && this.busy.delete(id));
    return done;
  }

  private async database(id: string) {
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

  /** Everything in a site's folder is its user's; of others only the web's process may enter it. */
  private async giveAway(id: string) {
    const { root } = siteFolder(this.options.dataDir, id);
    const owner = accountOf(id);
    const inside = (await readdir(root)).map((name) => join(root, name));
    execFileSync("chown", ["-R", "-h", `${owner}:${sitesGroup}`, ...inside]);
    const uid = userId(owner) as number;
    await chown(root, uid, this.options.webGroup);
    await chmod(root, 0o750);
    // Where both write: what the site tells, and what is taken away when it was read.
    for (const name of ["state", "mail", "backup"]
      .map((folder) => join(root, folder))
      .filter((path) => existsSync(path))) {
      await chown(name, uid, this.options.webGroup);
      await chmod(name, 0o770);
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
    await writeFile(config, fpmConfig({ site: siteFolder(dataDir, id).root, socket, recipe }));
    const site = siteFolder(dataDir, id).root;
    const [command, args] = enclosed(
      {
        uid,
        gid: groupId(sitesGroup),
        own: [site, folder],
        // The database's folder, not its socket: that is another one after a restart.
        shared: [coreFolder, platform, config, dirname(this.options.mariadb)],
      },
      [findFpm(), "--nodaemonize", "--fpm-config", config],
    );
    const php = spawn(command, args, { stdio: "ignore", detached: true });
    php.unref();
    for (let waited = 0; !(await isListening(socket)); waited += 5) {
      if (waited > patience || php.exitCode !== null) throw new Error("PHP did not start");
      await pause(5);
    }
  }

  private async stop(id: string) {
    const folder = phpFolder(this.options.runFolder, id);
    const pid = Number(existsSync(join(folder, "php.pid")) ? readFileSync(join(folder, "php.pid"), "utf8") : 0);
    const uid = userId(accountOf(id));
    // The file is the site's own: it may name a process that is not.
    const isOurs = () => pid > 1 && statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === uid;
    if (!isOurs()) return;
    process.kill(pid, "SIGTERM");
    for (let waited = 0; isOurs() && waited < patience; waited += 5) await pause(5);
    if (isOurs()) process.kill(pid, "SIGKILL");
  }

  private async dump(id: string) {
    const { root, content, backup } = siteFolder(this.options.dataDir, id);
    const uid = userId(accountOf(id));
    if (uid === undefined || statSync(root).uid !== uid) throw new Error("there is no such site");
    const options = ["--no-defaults", `--socket=${this.options.mariadb}`, "--single-transaction", "--skip-comments"];
    // What the site has closed to others would be missing from its backup.
    execFileSync("chmod", ["-R", "u+rwX,go+rX", content]);
    await rm(backup, { recursive: true, force: true });
    await mkdir(backup);
    await chown(backup, uid, this.options.webGroup);
    await chmod(backup, 0o770);
    execFileSync("mariadb-dump", [...options, `--result-file=${join(backup, dumpFile)}`, accountOf(id)]);
  }

  private async restore(id: string) {
    const { root, backup, state, mail } = siteFolder(this.options.dataDir, id);
    const restoring = restoringFolder(this.options.dataDir, id);
    if (!existsSync(join(restoring, "backup", dumpFile))) throw new Error("there is nothing to restore");
    await this.remove(id);
    await this.database(id);
    await rename(restoring, root);
    for (const name of [state, mail, join(root, "tmp")]) await mkdir(name, { recursive: true });
    await writeFile(join(state, "timetable"), dueNow);
    await this.giveAway(id);
    // As the site's own user: the file is not to be trusted with more.
    execFileSync("mariadb", ["--no-defaults", `--socket=${this.options.mariadb}`, accountOf(id)], {
      input: readFileSync(join(backup, dumpFile)),
      uid: userId(accountOf(id)) as number,
      gid: groupId(sitesGroup),
      env: { USER: accountOf(id) },
    });
  }

  private async remove(id: string) {
    const name = accountOf(id);
    await this.stop(id);
    this.sql(`drop database if exists \`${name}\`; drop user if exists '${name}'@'localhost';`);
    await rm(siteFolder(this.options.dataDir, id).root, { recursive: true, force: true });
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

function findFpm(): string {
  const found = ["8.4", "8.3", "8.2"].map((version) => `/usr/sbin/php-fpm${version}`).find((path) => existsSync(path));
  if (!found) throw new Error("there is no PHP-FPM on this machine");
  return found;
}
