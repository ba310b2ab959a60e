import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { OpenedBackup } from "../BackupStore.ts";
import { LocalRuntime } from "../LocalRuntime.ts";
import { siteFolder } from "../siteFolder.ts";
import {
  RuntimeFailed,
  type RuntimeOptions,
  type Site,
  type SiteRequest,
  type SiteResponse,
  type WordPressRuntime,
} from "../WordPressRuntime.ts";
import { type DesiredState, desiredStateFile, dumpFile } from "./desiredState.ts";
import { fastCgiParams } from "./fastCgiParams.ts";
import { requestFastCgi } from "./fastcgi.ts";
import { findPhpVersions } from "./findFpm.ts";
import type { Loopback } from "./Loopback.ts";
import { managerSocket, phpSocket } from "./names.ts";
import { spool } from "./spool.ts";
import type { Verb } from "./verbs.ts";

const managerTimeout = 31 * 60_000;

/** WordPress on the machine's PHP-FPM and MariaDB, with a unix user per site. The site manager does what needs root. */
export class NativeRuntime extends LocalRuntime implements WordPressRuntime {
  readonly phpVersions = findPhpVersions();
  protected readonly copyName = dumpFile;
  private readonly runFolder: string;
  private readonly platform: () => Promise<string>;
  private readonly requestSeconds: number;
  private readonly mayStart: RuntimeOptions["mayStart"];
  private readonly loopback: Loopback;

  constructor({
    dataDir,
    runFolder,
    loopback,
    cores,
    platform,
    requestSeconds,
    mayStart,
  }: RuntimeOptions & { runFolder: string; loopback: Loopback }) {
    super({ dataDir, cores });
    this.loopback = loopback;
    this.mayStart = mayStart;
    this.runFolder = runFolder;
    this.platform = platform;
    this.requestSeconds = requestSeconds;
  }

  async createDatabase(site: Site, prepared?: string) {
    await this.writeDesiredState(site, { prepared: prepared && basename(this.preparedFile(site.core, prepared)) });
    await this.help("remove", site.id);
    await this.help("database", site.id);
  }

  async createFiles(site: Site) {
    await this.writeDesiredState(site);
    await this.help("files", site.id);
  }

  async answer(site: Site, request: SiteRequest): Promise<SiteResponse> {
    const { seconds = this.requestSeconds } = request;
    const folder = siteFolder(this.dataDir, site.id);
    const platform = await this.platform();
    const { content, settings } = folder;
    const paths = { core: this.cores.open(site.core).folder, content, settings, platform };
    const access = this.loopback.accessOf(site.id);
    const server = { ...request.server, ...(access && { NIDO_LOOPBACK: access }) };
    const params = fastCgiParams(site, { ...request, server }, paths, seconds);
    const socketPath = phpSocket(this.runFolder, site.id, { ...site, php: this.phpOf(site), platform });
    let body: Readable | undefined;
    try {
      body = request.body && (await spool(request.body));
      const send = () => requestFastCgi(socketPath, params, body, seconds * 1000);
      return await send().catch(async (error) => {
        if (!isNotRunning(error)) throw error;
        if (!request.isOwn && !(await this.mayStart(site.id))) throw error;
        await this.writeDesiredState(site);
        await this.help("start", site.id);
        return send();
      });
    } catch (error) {
      body?.destroy();
      throw new RuntimeFailed(`PHP of site ${site.id} did not answer`, { cause: error });
    }
  }

  async stopSite(siteId: string) {
    await this.help("stop", siteId);
  }

  protected async snapshot(site: Site) {
    await this.help("dump", site.id);
  }

  protected async replace(site: Site, backup: OpenedBackup) {
    await this.writeDesiredState(site, { backup: basename(await backup.file()) });
    await this.help("restore", site.id);
  }

  async remove(siteId: string) {
    await this.help("remove", siteId);
  }

  async stop() {}

  /** The site manager accepts only a verb and an id, so the desired state is passed in a file. */
  private async writeDesiredState(site: Site, source: Pick<DesiredState, "prepared" | "backup"> = {}) {
    const { id, recipe, core } = site;
    const file = desiredStateFile(this.dataDir, id);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(
      file,
      JSON.stringify({ recipe, core, php: this.phpOf(site), platform: await this.platform(), ...source }),
    );
  }

  private async help(verb: Verb, siteId: string) {
    const socket = connect(managerSocket(this.runFolder));
    await once(socket, "connect");
    socket.setTimeout(managerTimeout, () =>
      socket.destroy(new Error(`the site manager did not answer "${verb}" in time`)),
    );
    socket.end(`${verb} ${siteId}\n`);
    const answer = (await text(socket)).trim();
    if (answer !== "ok") throw new RuntimeFailed(`the site manager failed at "${verb}" for site ${siteId}: ${answer}`);
  }
}

function isNotRunning(error: unknown): boolean {
  return ["ENOENT", "ECONNREFUSED"].includes((error as NodeJS.ErrnoException).code ?? "");
}
