import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync } from "node:fs";
import { chmod, chown, mkdir, rename, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { readUntrusted } from "../../platform/openUntrusted.ts";
import { newSecrets } from "../lifecycle/newSecrets.ts";
import { settingsSchema } from "../settingsSchema.ts";
import { siteFolder } from "../siteFolder.ts";
import { dumpFile } from "./desiredState.ts";
import { accountOf, sitesGroup } from "./names.ts";
import { groupId, requireUser } from "./unixAccounts.ts";

interface Options {
  dataDir: string;
  /** the group of the web process, which may enter the sites' folders */
  webGroup: number;
  /** the database's socket */
  databaseSocket: string;
}

interface NewFiles {
  /** the folder with WordPress's translations, if they are to be copied */
  languages?: string;
  /** default: new ones */
  secrets?: Record<string, string> | undefined;
}

const maxSettingsBytes = 2 ** 16;
const commandTimeout = 30 * 60_000;

/**
 * The files of the sites on the native runtime. A site's root folder belongs to root, so the site cannot replace the
 * folders in it. What happens inside those folders is done by commands that run as the site's own user: a link that
 * the site has put there leads no further than the site itself can go.
 */
export class SiteFiles {
  private readonly options: Options;

  constructor(options: Options) {
    this.options = options;
  }

  /** Creates the folders and settings of a site. Existing content stays. */
  async create(id: string, { languages, secrets = newSecrets() }: NewFiles = {}) {
    const { content, tmp, state, mail, settings } = this.folderOf(id);
    await this.createRoot(id);
    const owner = requireUser(accountOf(id));
    for (const path of [content, tmp]) await createFolder(path, owner, groupId(sitesGroup), 0o755);
    // Both write here: the site leaves files, and the web process removes them.
    for (const path of [state, mail]) await createFolder(path, owner, this.options.webGroup, 0o770);
    const own = ["plugins", "themes", "uploads"].map((name) => join(content, name));
    await this.runAs(id, "mkdir", ["-p", ...own]);
    if (languages) await this.runAs(id, "cp", ["-rT", "--no-dereference", languages, join(content, "languages")]);
    const values = {
      content,
      state,
      mail,
      database: { name: accountOf(id), socket: this.options.databaseSocket },
      secrets,
    };
    await writeFile(settings, JSON.stringify(values, null, 2));
  }

  /** Throws unless an archive is whole and contains what a site is restored from. Called before anything is removed. */
  async checkBackup(archive: number, webUser: number) {
    await run("tar", ["-tz", "site.json", `backup/${dumpFile}`], { uid: webUser }, archive);
  }

  /** Unpacks a backup with the rights of the site, which has no files yet. Returns its secrets. */
  async unpack(id: string, archive: number): Promise<Record<string, string> | undefined> {
    const { unpacked, content } = this.folderOf(id);
    await this.createRoot(id);
    await createFolder(unpacked, requireUser(accountOf(id)), groupId(sitesGroup), 0o700);
    const options = ["-xz", "--no-same-owner", "--no-same-permissions", "-C", unpacked];
    await this.runAs(id, "tar", [...options, "wp-content", "site.json"], archive);
    requireFolder(join(unpacked, "wp-content"));
    await rename(join(unpacked, "wp-content"), content);
    const settings = await readUntrusted(unpacked, "site.json", maxSettingsBytes);
    return settings && parseSecrets(settings.toString());
  }

  /** The database dump in a backup. It is not unpacked: a site's disk need not have room for it. */
  readDump(id: string, archive: number): Readable {
    const account = { uid: requireUser(accountOf(id)), gid: groupId(sitesGroup) };
    const stdio: StdioOptions = [archive, "pipe", "ignore"];
    return spawn("tar", ["-xzO", `backup/${dumpFile}`], { ...account, cwd: "/", stdio }).stdout as Readable;
  }

  /** Removes the rest of an unpacked backup. */
  async finishRestore(id: string) {
    const { unpacked } = this.folderOf(id);
    await this.runAs(id, "rm", ["-rf", "--", unpacked]).catch(() => undefined); // only root can remove the folder itself
    await rmdir(unpacked);
  }

  /** Runs a command with the rights of the site. */
  runAs(id: string, command: string, args: string[], input?: number) {
    return run(command, args, { uid: requireUser(accountOf(id)), gid: groupId(sitesGroup) }, input);
  }

  private folderOf(id: string) {
    const folder = siteFolder(this.options.dataDir, id);
    return { ...folder, tmp: join(folder.root, "tmp"), unpacked: join(folder.root, "unpacked") };
  }

  private createRoot(id: string) {
    return createFolder(this.folderOf(id).root, 0, this.options.webGroup, 0o751);
  }
}

async function createFolder(path: string, owner: number, group: number, mode: number) {
  await mkdir(path, { recursive: true });
  requireFolder(path);
  await chown(path, owner, group);
  await chmod(path, mode);
}

async function run(command: string, args: string[], account: { uid: number; gid?: number }, input?: number) {
  const stdio: StdioOptions = [input ?? "ignore", "ignore", "pipe"];
  const child = spawn(command, args, { ...account, cwd: "/", stdio, timeout: commandTimeout });
  const [errors] = await Promise.all([text(child.stderr as NonNullable<typeof child.stderr>), once(child, "close")]);
  if (child.exitCode !== 0)
    throw new Error(`${command} ${args[0]} failed: ${errors.trim().split("\n").at(-1) || child.signalCode}`);
}

/** Throws if the path is a symbolic link, even to a folder. */
function requireFolder(path: string) {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${path} is not a folder`);
}

/** Undefined if the text is malformed. */
function parseSecrets(settings: string): Record<string, string> | undefined {
  try {
    return settingsSchema.parse(JSON.parse(settings)).secrets;
  } catch {
    return undefined;
  }
}
