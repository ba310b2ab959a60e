import { randomBytes } from "node:crypto";
import { addAbortSignal, type Readable } from "node:stream";
import type { KubeConfig } from "@kubernetes/client-node";
import { resourcesOf } from "@nido/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Bucket } from "../../platform/Bucket.ts";
import { readBounded } from "../../platform/readBounded.ts";
import type { OpenedBackup } from "../BackupStore.ts";
import type { Cores } from "../core/CoreStore.ts";
import { siteLimits } from "../native/siteLimits.ts";
import { settingsSchema } from "../settingsSchema.ts";
import {
  type RemoteResponse,
  RuntimeFailed,
  type RuntimeOptions,
  type Site,
  type SiteReport,
  type SiteRequest,
  type SiteResponse,
  type WaitingMessage,
  type WordPressRuntime,
} from "../WordPressRuntime.ts";
import { type AgentCall, agentPaths, callHeader, faultHeader, fileHeader, writtenAtHeader } from "./agentProtocol.ts";
import { Cluster } from "./Cluster.ts";
import type { ClusterSite, ClusterSites } from "./ClusterSites.ts";
import type { MariaDbServers } from "./MariaDbServers.ts";
import { PodManager } from "./PodManager.ts";
import { SiteAgents, shortMs } from "./SiteAgents.ts";
import { SitePods } from "./SitePods.ts";
import { type ClusterOptions, objectName, volumeName } from "./siteObjects.ts";

interface Options extends Pick<RuntimeOptions, "requestSeconds" | "mayStart"> {
  config: KubeConfig;
  cluster: ClusterOptions;
  sites: ClusterSites;
  mariadb: MariaDbServers;
  bucket: Bucket;
  cores: Cores;
  log: FastifyBaseLogger;
}

const removalMs = 180_000;

/**
 * WordPress on Kubernetes: one pod per site, with PHP-FPM and our agent, and a database on one of the MariaDB servers.
 * A watch finds the pods, and requests go to their own addresses. A site that sleeps has no pod.
 */
export class KubernetesRuntime implements WordPressRuntime {
  readonly name = "kubernetes";
  readonly cores: Cores;
  /** Each image has one. */
  readonly phpVersions = [];
  readonly pods: SitePods;
  readonly cluster: Cluster;
  readonly sites: ClusterSites;
  private readonly options: Options;
  readonly podManager: PodManager;
  private readonly agents: SiteAgents;

  constructor(options: Options) {
    this.options = options;
    this.cores = options.cores;
    this.sites = options.sites;
    this.agents = new SiteAgents(options.sites);
    this.pods = new SitePods(options.config, options.cluster.namespace, options.log);
    this.cluster = new Cluster(options.config, options.cluster.namespace);
    const { pods, cluster } = this;
    const { sites, mariadb } = options;
    this.podManager = new PodManager({ pods, cluster, sites, mariadb, options: options.cluster });
  }

  async createDatabase(site: Site, prepared?: string) {
    const { sites, mariadb, bucket } = this.options;
    await this.remove(site.id);
    const created = await sites.create(site.id, await mariadb.choose(await sites.countByHost()));
    await mariadb.create(created.database, siteLimits(site.recipe).database);
    await this.podManager.createVolume(site);
    const target = await this.podManager.ensure(site);
    if (!prepared) return;
    const dump = await bucket.read(preparedKey(site.core, prepared));
    await this.agents.manage(target, "PUT", agentPaths.database, dump);
  }

  async hasPrepared(core: string, name: string): Promise<boolean> {
    return (await this.options.bucket.findDate(preparedKey(core, name))) !== undefined;
  }

  async savePrepared(site: Site, name: string) {
    const dump = await this.agents.open(await this.podManager.ensure(site), "GET", agentPaths.database);
    await this.options.bucket.upload(preparedKey(site.core, name), dump);
  }

  /** The agent creates the folders when the pod starts. */
  async createFiles(site: Site) {
    await this.podManager.ensure(site);
  }

  async answer(site: Site, request: SiteRequest): Promise<SiteResponse> {
    return this.call(site, request, request.script);
  }

  async update(site: Site) {
    await this.podManager.ensure(site);
  }

  async visit(site: Site, request: Omit<SiteRequest, "script">): Promise<RemoteResponse> {
    return this.call(site, request, undefined);
  }

  async report(siteId: string): Promise<SiteReport> {
    const pod = await this.podManager.findAwake(siteId);
    if (!pod) throw new RuntimeFailed(`site ${siteId} sleeps`);
    return (await this.agents.manage(pod, "GET", agentPaths.report)) as SiteReport;
  }

  async diskUse(siteId: string): Promise<number> {
    return Number(await this.agents.manage(await this.podManager.wake(siteId), "GET", agentPaths.disk));
  }

  async stopSite(siteId: string) {
    await this.podManager.rest(siteId);
    await this.pods.waitForNone(siteId, removalMs);
  }

  async pack(site: Site, signal: AbortSignal): Promise<Readable> {
    const archive = await this.agents.open(await this.podManager.wake(site.id), "GET", agentPaths.files);
    return addAbortSignal(signal, archive);
  }

  async restore(site: Site, backup: OpenedBackup) {
    const { sites, mariadb, bucket } = this.options;
    if (!(await sites.find(site.id))) await this.createDatabase(site);
    const isLost = !(await this.hasVolume(site.id));
    if (isLost) await this.podManager.createVolume(site);
    const target = await this.podManager.ensure(site);
    await this.agents.manage(target, "PUT", agentPaths.check, await backup.stream());
    // The database has outlived the volume, and may be newer than the backup.
    if (isLost) await bucket.upload(rescuedKey(site.id), await this.agents.open(target, "GET", agentPaths.database));
    const settings = await this.agents.manage(target, "PUT", agentPaths.files, await backup.stream());
    const { secrets } = settingsSchema.parse(settings);
    const { database } = (await sites.find(site.id)) as ClusterSite;
    await mariadb.create(database, siteLimits(site.recipe).database);
    await this.agents.manage(target, "PUT", agentPaths.backupDatabase, await backup.stream());
    await this.podManager.rotate(site, secrets);
  }

  /** Gives the site's volume the size of its plan. False if the cluster cannot. */
  async resizeVolume({ id, recipe }: Site): Promise<boolean> {
    const secrets = await this.sites.find(id);
    return secrets !== undefined && this.cluster.resizeVolume(volumeName(id, secrets), resourcesOf(recipe).disk);
  }

  /** Moves the site's files to a new volume of its plan's size, by way of a backup. If that fails, it keeps the old one. */
  async replaceVolume(site: Site, backup: OpenedBackup) {
    const volume = `${objectName(site.id)}-${randomBytes(4).toString("hex")}`;
    try {
      const target = await this.podManager.openVolume(site, volume);
      await this.agents.manage(target, "PUT", agentPaths.check, await backup.stream());
      await this.agents.manage(target, "PUT", agentPaths.files, await backup.stream());
      await this.sites.setVolume(site.id, volume);
    } finally {
      await this.podManager.ensure(site);
    }
    await this.removeOldVolumes(site.id);
  }

  /** Removes what `replaceVolume` has left. */
  async removeOldVolumes(siteId: string) {
    this.sites.forget(siteId);
    const secrets = await this.sites.find(siteId);
    if (secrets) await this.cluster.removeVolumes(siteId, volumeName(siteId, secrets));
  }

  async listMail(siteId: string, limit: number): Promise<string[]> {
    return (await this.agents.manage(
      await this.podManager.wake(siteId),
      "GET",
      `${agentPaths.mail}?limit=${limit}`,
    )) as string[];
  }

  async readMail(siteId: string, name: string, maxBytes: number): Promise<WaitingMessage | undefined> {
    const path = `${agentPaths.mail}/${encodeURIComponent(name)}`;
    const response = await this.agents.send(await this.podManager.wake(siteId), {
      method: "GET",
      path,
      timeoutMs: shortMs,
    });
    const writtenAt = Number(response.headers[writtenAtHeader]);
    if (response.statusCode === 200) return { writtenAt, content: await readBounded(response, maxBytes) };
    response.resume();
    return response.statusCode === 413 ? { writtenAt, content: undefined } : undefined;
  }

  async removeMail(siteId: string, name: string) {
    await this.agents.manage(
      await this.podManager.wake(siteId),
      "DELETE",
      `${agentPaths.mail}/${encodeURIComponent(name)}`,
    );
  }

  /** A site that has lost its volume is not installed any longer. */
  async installedCore(siteId: string) {
    return (await this.hasVolume(siteId)) ? this.options.sites.installedCore(siteId) : undefined;
  }

  async markInstalled({ id, core }: Site) {
    await this.options.sites.setInstalledCore(id, core);
  }

  async unmarkInstalled(siteId: string) {
    await this.options.sites.setInstalledCore(siteId, null);
  }

  folders() {
    return undefined;
  }

  async remove(siteId: string) {
    const { sites, mariadb } = this.options;
    await this.cluster.remove(objectName(siteId), removalMs);
    await this.cluster.removeVolumes(siteId);
    const site = await sites.find(siteId);
    if (site) await mariadb.drop(site.database);
    await sites.remove(siteId);
  }

  async stop() {
    this.agents.stop();
    await this.pods.stop();
  }

  private async hasVolume(siteId: string): Promise<boolean> {
    const secrets = await this.sites.find(siteId);
    return secrets !== undefined && this.cluster.hasVolume(volumeName(siteId, secrets));
  }

  private async call(site: Site, request: Omit<SiteRequest, "script">, script: AgentCall["script"]) {
    const { method, url, headers, body, visitor, server, seconds = this.options.requestSeconds } = request;
    const call: AgentCall = {
      siteUrl: site.url,
      ...(site.isStaging && { isStaging: true }),
      visitor,
      seconds,
      ...(script && { script }),
      ...(server && { server }),
    };
    const fields = { ...headers, [callHeader]: Buffer.from(JSON.stringify(call)).toString("base64url") };
    const timeoutMs = (seconds + 10) * 1000;
    const send = async () => {
      const awake = await this.podManager.findAwake(site.id);
      if (!awake && !request.isOwn && !(await this.options.mayStart(site.id))) throw new Error("it is being moved");
      const target = awake ?? (await this.podManager.wake(site.id));
      return this.agents.send(target, { method, path: url, headers: fields, body, timeoutMs });
    };
    try {
      const response = await send().catch((error) => {
        // The pod may have been replaced, and its secrets, too. A body can be sent only once.
        this.options.sites.forget(site.id);
        if (body) throw error;
        return send();
      });
      const fault = response.headers[faultHeader];
      if (fault !== undefined) {
        response.resume();
        throw new Error(decodeURIComponent(String(fault)));
      }
      const isFile = response.headers[fileHeader] !== undefined;
      delete response.headers[fileHeader];
      for (const name of ["connection", "keep-alive", "transfer-encoding"]) delete response.headers[name];
      return { status: response.statusCode ?? 500, headers: response.headers, body: response, isFile };
    } catch (error) {
      throw new RuntimeFailed(`PHP of site ${site.id} did not answer`, { cause: error });
    }
  }
}

/** A dump of a database whose site has lost its volume. */
function rescuedKey(siteId: string): string {
  return `rescued/${siteId}/${new Date().toISOString()}.sql`;
}

function preparedKey(core: string, name: string): string {
  return `prepared/${core}/${name}.sql`;
}
