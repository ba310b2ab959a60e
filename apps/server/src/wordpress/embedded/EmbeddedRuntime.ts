import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request as send } from "node:http";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream";
import { resourcesOf } from "@nido/contract";
import { ConfigError } from "../../config/ConfigError.ts";
import type { Db } from "../../db/connect.ts";
import { Lease } from "../../db/Lease.ts";
import { type OpenedBackup, settingsName } from "../BackupStore.ts";
import { cgiVariables } from "../cgiVariables.ts";
import { LocalRuntime } from "../LocalRuntime.ts";
import { newSecrets } from "../lifecycle/newSecrets.ts";
import { settingsSchema } from "../settingsSchema.ts";
import { siteFolder } from "../siteFolder.ts";
import {
  RuntimeFailed,
  type RuntimeOptions,
  type Site,
  type SiteRequest,
  type SiteResponse,
  type WordPressRuntime,
} from "../WordPressRuntime.ts";
import { callHeader, faultHeader, type HostCall } from "./HostCall.ts";
import { type PhpVersion, phpVersions } from "./phpVersions.ts";
import { databaseFile, unpackBackup } from "./unpackBackup.ts";

const forwardCacheTime = 2000;

/** The folders of scripts inside PHP's virtual file system. */
const inside = { core: "/wordpress", content: "/site/wp-content", nido: "/nido" };

const databaseDriver = "<?php\nrequire NIDO_PLATFORM . '/sqlite/wp-includes/sqlite/db.php';\n";

/** WordPress on php-wasm and SQLite: nothing has to be installed. PHP runs in a child process, a thread for each site. */
export class EmbeddedRuntime extends LocalRuntime implements WordPressRuntime {
  readonly phpVersions = phpVersions;
  protected readonly copyName = databaseFile;
  private readonly platform: () => Promise<string>;
  private readonly requestSeconds: number;
  private readonly socketPath: string;
  private readonly lease: Lease;
  /** the socket of the process that holds the lease, cached until the given time */
  private other = { socketPath: "", until: 0 };
  private readonly agent = new Agent({ keepAlive: true });
  private host: Promise<ChildProcess> | undefined;
  private isStopped = false;

  constructor({ db, dataDir, cores, platform, requestSeconds }: RuntimeOptions & { db: Db }) {
    super({ dataDir, cores });
    this.platform = platform;
    this.requestSeconds = requestSeconds;
    this.socketPath = join(dataDir, "run", `php-${process.pid}.sock`);
    this.lease = new Lease(db, "wordpress", this.socketPath);
    if (Buffer.byteLength(this.socketPath) > 100)
      throw new ConfigError(`DATA_DIR=${dataDir} is too long: a socket's path may have 100 bytes at most.`);
  }

  async createDatabase({ id, core }: Site, prepared?: string) {
    await this.remove(id);
    const { database } = siteFolder(this.dataDir, id);
    await mkdir(database, { recursive: true });
    if (prepared) await copyFile(this.preparedFile(core, prepared), join(database, databaseFile));
  }

  async createFiles(site: Site) {
    const folder = siteFolder(this.dataDir, site.id);
    for (const name of ["plugins", "themes", "uploads"]) await mkdir(join(folder.content, name), { recursive: true });
    await mkdir(folder.state, { recursive: true });
    await mkdir(folder.mail, { recursive: true });
    const core = this.cores.open(site.core);
    await cp(join(core.folder, "wp-content/languages"), join(folder.content, "languages"), {
      recursive: true,
    });
    await writeFile(join(folder.content, "db.php"), databaseDriver);
    await writeSettings(folder.settings, newSecrets());
  }

  async answer(site: Site, request: SiteRequest): Promise<SiteResponse> {
    const { method, url, headers, body, script, seconds = this.requestSeconds, signal } = request;
    const call: HostCall = {
      ...(await this.callOf(site)),
      timeLimit: seconds * 1000,
      endsWithReader: signal !== undefined,
      scriptPath: `${inside[script.in]}/${script.path}`,
      server: { ...cgiVariables(site, request, inside), NIDO_PLATFORM: "", NIDO_SITE: "/site/site.json" },
    };
    const response = await this.send(call, { method, path: url, headers, signal }, body);
    const fault = response.headers[faultHeader];
    if (fault) {
      response.resume();
      throw new RuntimeFailed(`PHP of site ${site.id} is ${fault}`);
    }
    return { status: response.statusCode ?? 500, headers: response.headers, body: response };
  }

  async stopSite(siteId: string) {
    await this.command({ siteId, stop: true });
  }

  protected async snapshot({ id }: Site) {
    const { database, backup } = siteFolder(this.dataDir, id);
    await mkdir(backup, { recursive: true });
    await this.command({
      siteId: id,
      stop: true,
      copy: { from: join(database, databaseFile), to: join(backup, databaseFile) },
    });
  }

  protected async replace(site: Site, backup: OpenedBackup) {
    const { id } = site;
    const { root } = siteFolder(this.dataDir, id);
    const folder = join(this.dataDir, "unpacked", id);
    const old = `${folder}.old`;
    await unpackBackup(await backup.file(), folder);
    const settings = join(folder, settingsName);
    await writeSettings(settings, settingsSchema.parse(JSON.parse(await readFile(settings, "utf8"))).secrets);
    await mkdir(dirname(root), { recursive: true });
    await this.stopSite(id);
    // Without a root folder, an interrupted attempt has left the only copy of it as `old`.
    if (existsSync(root)) {
      await rm(old, { recursive: true, force: true });
      await rename(root, old);
    }
    await rename(folder, root);
    await this.stopSite(id);
    // An SFTP session that is about to be ended may still write to it.
    await rm(old, { recursive: true, force: true, maxRetries: 5, retryDelay: 1000 });
  }

  async remove(siteId: string) {
    await this.stopSite(siteId);
    const { root, snapshot } = siteFolder(this.dataDir, siteId);
    for (const folder of [root, snapshot]) await rm(folder, { recursive: true, force: true });
  }

  async stop() {
    this.isStopped = true;
    await this.endHost();
    this.agent.destroy();
    await this.lease.release().catch(() => undefined);
  }

  private async endHost() {
    const host = await this.host?.catch(() => undefined);
    if (!host || host.exitCode !== null || host.signalCode !== null) return;
    const closed = once(host, "close");
    host.kill("SIGKILL");
    await closed;
  }

  private async callOf(site: Site) {
    const { id, recipe } = site;
    const { memory, disk } = resourcesOf(recipe);
    const { folder: core } = this.cores.open(site.core);
    const php = this.phpOf(site) as PhpVersion;
    const folders = { core, platform: await this.platform(), site: siteFolder(this.dataDir, id).root };
    return { siteId: id, boot: { ...folders, php, memory, disk } };
  }

  /** Sends a command, not a request, to the site's thread. */
  private async command(call: Pick<HostCall, "siteId" | "stop" | "copy">) {
    const response = await this.send(call as HostCall, { method: "POST", path: "/", headers: {} });
    response.resume();
    await once(response, "end");
    if (response.statusCode !== 200) throw new RuntimeFailed(`could not stop PHP of site ${call.siteId}`);
  }

  private async send(
    call: HostCall,
    {
      method,
      path,
      headers,
      signal,
    }: Pick<SiteRequest, "method" | "headers"> & { path: string; signal?: AbortSignal | undefined },
    body?: SiteRequest["body"],
  ): Promise<IncomingMessage> {
    const socketPath = await this.findHost();
    const request = send({
      socketPath,
      agent: this.agent,
      method,
      path,
      signal,
      headers: { ...headers, [callHeader]: Buffer.from(JSON.stringify(call)).toString("base64url") },
    });
    request.on("error", () => undefined); // once the response has begun, it reports the errors itself
    if (body) pipeline(body, request, () => undefined);
    else request.end();
    try {
      const [response] = await once(request, "response");
      return response;
    } catch (error) {
      throw new RuntimeFailed(`PHP of site ${call.siteId} did not answer`, { cause: error });
    }
  }

  /** The socket of the process that runs PHP: our own child while we hold the lease, otherwise the holder's. */
  private async findHost(): Promise<string> {
    if (!this.lease.isHeld) {
      if (performance.now() < this.other.until) return this.other.socketPath;
      const holder = await this.lease.take().catch((error) => {
        throw new RuntimeFailed("could not read the lease on the WordPress sites", { cause: error });
      });
      if (holder !== "taken") return this.forwardTo(holder);
    }
    this.host ??= this.start().catch((error) => {
      this.host = undefined;
      throw error;
    });
    await this.host;
    return this.socketPath;
  }

  private async forwardTo({ host, address }: { host: string; address: string }): Promise<string> {
    if (host !== hostname() || dirname(address) !== dirname(this.socketPath))
      throw new RuntimeFailed(
        `another machine or DATA_DIR (${host}, ${address}) runs the sites: the embedded runtime supports only one`,
      );
    await this.endHost();
    this.other = { socketPath: address, until: performance.now() + forwardCacheTime };
    return address;
  }

  private async start(): Promise<ChildProcess> {
    if (this.isStopped) throw new RuntimeFailed("the PHP runtime is stopped");
    const run = dirname(this.socketPath);
    await mkdir(run, { recursive: true });
    // Sockets of killed processes. The lease guarantees that no other process is starting.
    for (const name of await readdir(run)) if (/^php-\d+\.sock$/.test(name)) await rm(join(run, name));
    const host = spawn(process.execPath, [join(import.meta.dirname, "host.ts"), this.socketPath], {
      // An empty environment: PHP must not see settings or secrets.
      env: {},
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    host.once("exit", () => {
      this.host = undefined;
    });
    // Once the lease is lost, another process may run the sites.
    const watch = setInterval(() => this.lease.isHeld || host.kill("SIGKILL"), 1000).unref();
    host.once("exit", () => clearInterval(watch));
    const [message] = await Promise.race([once(host, "message"), once(host, "exit")]);
    if (message !== "listening") throw new RuntimeFailed("the PHP host process ended before it listened");
    return host;
  }
}

async function writeSettings(file: string, secrets: Record<string, string>) {
  const settings = {
    content: inside.content,
    state: "/site/state",
    mail: "/site/mail",
    database: { folder: "/site/database" },
    secrets,
  };
  await writeFile(file, JSON.stringify(settings, null, 2), { mode: 0o600 });
}
