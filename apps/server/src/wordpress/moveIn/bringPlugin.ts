import { createHash, randomBytes } from "node:crypto";
import { connect } from "node:net";
import type { ErrorKey, SftpAccount } from "@nido/contract";
import { Client, type FileEntryWithStats, type SFTPWrapper } from "ssh2";
import { AppError } from "../../platform/AppError.ts";
import { clientAlgorithms } from "../sftp/sshAlgorithms.ts";
import type { Options } from "./askSource.ts";
import { isPrivateHost, lookupAny, lookupPublic } from "./guardHost.ts";
import { pluginFiles } from "./pluginFiles.ts";

/** Somebody waits, and the site is asked after this. */
const connectMs = 20_000;
const validHours = 25;
/** How much of the account's folders is searched. */
const [maxDepth, maxFolders, maxFound] = [4, 60, 5];
const [maxRequests, maxNames, maxLength] = [6, 500, 255];
/** Where an account's sites usually lie, beside its home. */
const starts = [".", "/var/www"];
const usual = /^(public_html|htdocs|httpdocs|html|www|web|webroot|public|domains|sites|vhosts|wordpress|wp)$/i;

/**
 * Puts our plugin into the WordPress of an SFTP account, with a key for this time only, and asks it. The plugin deletes
 * itself when it is told to, or after a day. Throws an AppError that says why it cannot be brought.
 */
export async function bringPlugin<Answer>(
  account: SftpAccount,
  url: string,
  ask: (key: string) => Promise<Answer>,
  options: Options,
): Promise<Answer> {
  const { client, files } = await openFiles(account, options);
  try {
    const key = randomBytes(32).toString("base64url");
    for (const folder of await findFolders(files, url)) {
      const remove = await putPlugin(files, `${folder}/wp-content/mu-plugins`, key);
      try {
        return await ask(key);
      } catch (error) {
        await remove();
        // Another WordPress of the account may be the one at this address. It may have the plugin, without our key.
        if (!(error instanceof AppError) || !/^error_move_in_(plugin|login)$/.test(error.key)) throw error;
      }
    }
    throw new AppError(options.signal.aborted ? "error_move_in_sftp" : "error_move_in_sftp_folder");
  } finally {
    client.end();
  }
}

async function openFiles({ host, port, user: username, password }: SftpAccount, { mayBePrivate, signal }: Options) {
  const fail = (key: ErrorKey, cause?: unknown) => new AppError(key, { cause });
  if (!mayBePrivate && isPrivateHost(host)) throw fail("error_move_in_sftp");
  const socket = connect({ host, port, noDelay: true, lookup: mayBePrivate ? lookupAny : lookupPublic });
  signal.addEventListener("abort", () => socket.destroy(), { once: true });
  const client = new Client();
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    client.on("ready", () =>
      client.sftp((error, sftp) => (error ? reject(fail("error_move_in_sftp", error)) : resolve(sftp))),
    );
    client.on("keyboard-interactive", (_name, _text, _lang, prompts, answer) => answer(prompts.map(() => password)));
    client.on("error", (error) =>
      reject(fail(error.level === "client-authentication" ? "error_move_in_sftp_login" : "error_move_in_sftp", error)),
    );
    client.on("close", () => reject(fail("error_move_in_sftp")));
    const login = { username, password, tryKeyboard: true };
    client.connect({ sock: socket, ...login, readyTimeout: connectMs, algorithms: clientAlgorithms });
  }).catch((error) => {
    client.destroy();
    throw error;
  });
  const closed = new Promise<never>((_, reject) => {
    socket.once("close", () => reject(fail("error_move_in_sftp")));
  });
  closed.catch(() => undefined); // often nobody waits for it
  return { client, files: new Files(sftp, closed) };
}

/** The calls of SFTP as promises. They also end with the connection. */
class Files {
  private readonly sftp: SFTPWrapper;
  private readonly closed: Promise<never>;

  constructor(sftp: SFTPWrapper, closed: Promise<never>) {
    this.sftp = sftp;
    this.closed = closed;
  }

  private call<Value = void>(ask: (sftp: SFTPWrapper, done: (error?: Error | null, value?: Value) => void) => void) {
    const answer = new Promise<Value>((resolve, reject) =>
      ask(this.sftp, (error, value) => (error ? reject(error) : resolve(value as Value))),
    );
    return Promise.race([answer, this.closed]);
  }

  realpath = (path: string) => this.call<string>((sftp, done) => sftp.realpath(path, done));
  openFolder = (path: string) => this.call<Buffer>((sftp, done) => sftp.opendir(path, done));
  /** Some of its entries; throws after the last ones. */
  readFolder = (handle: Buffer) => this.call<FileEntryWithStats[]>((sftp, done) => sftp.readdir(handle, done));
  close = (handle: Buffer) => this.call((sftp, done) => sftp.close(handle, done));
  makeFolder = (path: string) => this.call((sftp, done) => sftp.mkdir(path, done));
  removeFolder = (path: string) => this.call((sftp, done) => sftp.rmdir(path, done));
  write = (path: string, bytes: Buffer) => this.call((sftp, done) => sftp.writeFile(path, bytes, done));
  remove = (path: string) => this.call((sftp, done) => sftp.unlink(path, done));
}

/** The folders of the account that hold a WordPress, first those named like the host. */
async function findFolders(files: Files, url: string): Promise<string[]> {
  const name = new URL(url).hostname.replace(/^www\./, "");
  const rank = (path: string) => (path.includes(name) ? 0 : usual.test(path.slice(path.lastIndexOf("/") + 1)) ? 1 : 2);
  const byRank = (one: string, other: string) => rank(one) - rank(other);
  const found = new Set<string>();
  let level = starts;
  let listed = 0;
  for (let depth = 0; depth < maxDepth && found.size < maxFound; depth++) {
    const next: string[] = [];
    for (const folder of level.sort(byRank)) {
      if (listed++ >= maxFolders || found.size >= maxFound) break;
      const folders = await listFolders(files, folder);
      if (folders.includes("wp-content") && folders.includes("wp-includes")) {
        found.add(await files.realpath(folder).catch(() => folder));
      } else next.push(...folders.filter((each) => !each.startsWith(".")).map((each) => `${folder}/${each}`));
    }
    level = next;
  }
  return [...found].sort(byRank);
}

/** Those that can be listed. A link may lead to a folder. */
async function listFolders(files: Files, folder: string): Promise<string[]> {
  const handle = await files.openFolder(folder).catch(() => undefined);
  if (!handle) return [];
  const names: string[] = [];
  for (let asked = 0; asked < maxRequests && names.length < maxNames; asked++) {
    const entries = await files.readFolder(handle).catch(() => undefined);
    if (!entries) break;
    for (const { filename, attrs } of entries)
      if (filename.length <= maxLength && (attrs.isDirectory() || attrs.isSymbolicLink())) names.push(filename);
  }
  await files.close(handle).catch(() => undefined);
  return names;
}

/** Returns what removes it again. */
async function putPlugin(files: Files, folder: string, key: string): Promise<() => Promise<void>> {
  const own = `${folder}/nido-move`;
  const loader = `${own}.php`;
  const plugin = Object.entries(pluginFiles).map(([name, bytes]) => [`${own}/${name}`, bytes] as const);
  const remove = async () => {
    for (const path of [loader, ...plugin.map(([path]) => path)]) await files.remove(path).catch(() => undefined);
    await files.removeFolder(own).catch(() => undefined);
  };
  for (const path of [folder, own]) await files.makeFolder(path).catch(() => undefined);
  try {
    for (const [path, bytes] of plugin) await files.write(path, bytes);
    // WordPress loads it at once.
    await files.write(loader, Buffer.from(loaderFor(key)));
  } catch (cause) {
    await remove();
    throw new AppError("error_move_in_sftp_folder", { cause });
  }
  return remove;
}

function loaderFor(key: string): string {
  const digest = createHash("sha256").update(key).digest("hex");
  const until = Math.floor(Date.now() / 1000) + validHours * 3600;
  return `<?php
// Lets another host copy this site, for a day at most. It deletes itself.
define( 'NIDO_MOVE_KEY', '${digest}' );
define( 'NIDO_MOVE_UNTIL', ${until} );
// The same plugin would declare its functions a second time.
add_filter(
	'option_active_plugins',
	function ( $plugins ) {
		return array_diff( (array) $plugins, array( 'nido-move/nido-move.php' ) );
	}
);
require __DIR__ . '/nido-move/nido-move.php';
`;
}
