import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { KubeConfig } from "@kubernetes/client-node";
import type { FastifyBaseLogger } from "fastify";
import type { Bucket } from "../../platform/Bucket.ts";
import { KeyedMutex } from "../../platform/KeyedMutex.ts";
import { readBounded } from "../../platform/readBounded.ts";
import type { OpenedBackup } from "../BackupStore.ts";
import { siteLimits } from "../native/siteLimits.ts";
import {
  type RemoteResponse,
  RuntimeFailed,
  type Site,
  type SiteReport,
  type SiteRequest,
  type SiteResponse,
  type WaitingMessage,
  type WordPressRuntime,
} from "../WordPressRuntime.ts";
import { AgentClient } from "./AgentClient.ts";
import { type AgentCall, agentPaths, callHeader, faultHeader, fileHeader, writtenAtHeader } from "./agentProtocol.ts";
import { Cluster } from "./Cluster.ts";
import type { ClusterSite, ClusterSites } from "./ClusterSites.ts";
import type { MariaDbServers } from "./MariaDbServers.ts";
import { type SitePod, SitePods } from "./SitePods.ts";
import { type ClusterOptions, objectName, siteObjects, specOf } from "./siteObjects.ts";

interface Options {
  config: KubeConfig;
  cluster: ClusterOptions;
  sites: ClusterSites;
  mariadb: MariaDbServers;
  bucket: Bucket;
  /** This process may create and change sites, not only wake them. */
  canManage: boolean;
  requestSeconds: number;
  log: FastifyBaseLogger;
}

/** Longer than a node usually takes to attach a volume and start a pod. */
const startMs = 60_000;
const removalMs = 180_000;
const shortMs = 30_000;
const longMs = 30 * 60_000;
const maxJsonBytes = 2 ** 16;

/**
 * WordPress on Kubernetes: one pod per site, with PHP-FPM and our agent, and a database on one of the MariaDB servers.
 * A watch finds the pods, and requests go to their own addresses. A site that sleeps has no pod.
 */
export class KubernetesRuntime implements WordPressRuntime {
  readonly pods: SitePods;
  readonly cluster: Cluster;
  private readonly options: Options;
  private readonly agents = new AgentClient();
  private readonly changes = new KeyedMutex();

  constructor(options: Options) {
    this.options = options;
    this.pods = new SitePods(options.config, options.cluster.namespace, options.log);
    this.cluster = new Cluster(options.config, options.cluster.namespace);
  }

  async createDatabase(site: Site, prepared?: string) {
    const { sites, mariadb, bucket } = this.options;
    await this.remove(site.id);
    const created = await sites.create(site.id, await mariadb.choose(await sites.countByHost()));
    await mariadb.create(created.database, siteLimits(site.recipe).database);
    const target = await this.ensure(site);
    if (!prepared) return;
    const dump = await bucket.read(preparedKey(site.core, prepared));
    await this.manage(target, "PUT", agentPaths.database, dump);
  }

  async hasPrepared(core: string, name: string): Promise<boolean> {
    return (await this.options.bucket.findDate(preparedKey(core, name))) !== undefined;
  }

  async savePrepared(site: Site, name: string) {
    const dump = await this.open(await this.ensure(site), "GET", agentPaths.database);
    await this.options.bucket.upload(preparedKey(site.core, name), dump);
  }

  /** The agent creates the folders when the pod starts. */
  async createFiles(site: Site) {
    await this.ensure(site);
  }

  async answer(site: Site, request: SiteRequest): Promise<SiteResponse> {
    return this.call(site, request, request.script);
  }

  async visit(site: Site, request: Omit<SiteRequest, "script">): Promise<RemoteResponse> {
    return this.call(site, request, undefined);
  }

  async report(siteId: string): Promise<SiteReport> {
    const pod = await this.findAwake(siteId);
    if (!pod) throw new RuntimeFailed(`site ${siteId} sleeps`);
    return (await this.manage(pod, "GET", agentPaths.report)) as SiteReport;
  }

  async diskUse(siteId: string): Promise<number> {
    return Number(await this.manage(await this.wake(siteId), "GET", agentPaths.disk));
  }

  async stopSite(siteId: string) {
    await this.cluster.scale(objectName(siteId), 0);
  }

  async pack(site: Site, signal: AbortSignal): Promise<Readable> {
    const archive = await this.open(await this.ensure(site), "GET", agentPaths.files, longMs);
    signal.addEventListener("abort", () => archive.destroy(), { once: true });
    return archive;
  }

  async restore(site: Site, backup: OpenedBackup) {
    const { sites, mariadb } = this.options;
    if (!(await sites.find(site.id))) await this.createDatabase(site);
    const target = await this.ensure(site);
    const wordpress = (await this.manage(target, "PUT", agentPaths.files, await backup.stream())) as
      | Record<string, string>
      | undefined;
    const { database } = (await sites.find(site.id)) as ClusterSite;
    await mariadb.empty(database);
    await this.manage(target, "PUT", agentPaths.backupDatabase, await backup.stream());
    await this.rotate(site, wordpress);
  }

  async listMail(siteId: string, limit: number): Promise<string[]> {
    return (await this.manage(await this.wake(siteId), "GET", `${agentPaths.mail}?limit=${limit}`)) as string[];
  }

  async readMail(siteId: string, name: string, maxBytes: number): Promise<WaitingMessage | undefined> {
    const path = `${agentPaths.mail}/${encodeURIComponent(name)}`;
    const response = await this.send(await this.wake(siteId), { method: "GET", path, timeoutMs: shortMs });
    const writtenAt = Number(response.headers[writtenAtHeader]);
    if (response.statusCode === 200) return { writtenAt, content: await readBounded(response, maxBytes) };
    response.resume();
    return response.statusCode === 413 ? { writtenAt, content: undefined } : undefined;
  }

  async removeMail(siteId: string, name: string) {
    await this.manage(await this.wake(siteId), "DELETE", `${agentPaths.mail}/${encodeURIComponent(name)}`);
  }

  installedCore(siteId: string) {
    return this.options.sites.installedCore(siteId);
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
    await this.cluster.remove(objectName(siteId), async (isGone) => {
      const deadline = Date.now() + removalMs;
      while (!(await isGone())) {
        if (Date.now() > deadline) throw new Error(`the objects of site ${siteId} are not removed yet`);
        await pause(500);
      }
    });
    const site = await sites.find(siteId);
    if (site) await mariadb.drop(site.database);
    await sites.remove(siteId);
  }

  async stop() {
    this.agents.stop();
    await this.pods.stop();
  }

  /** Gives a site new secrets, and a pod that has them. The old pod can neither answer nor write any longer. */
  private async rotate(site: Site, wordpress?: Record<string, string>) {
    const { sites, mariadb } = this.options;
    const rotated = await sites.rotate(site.id, wordpress);
    await mariadb.setPassword(rotated.database);
    await this.applyObjects(site);
  }

  /** The sites whose pods are on nodes that the cluster has lost, with these pods. */
  async findLost(): Promise<Map<string, SitePod[]>> {
    await this.pods.start();
    const nodes = await this.cluster.findLostNodes();
    const lost = this.pods.all().filter(({ node }) => nodes.has(node));
    return Map.groupBy(lost, ({ siteId }) => siteId);
  }

  /**
   * Moves a site away from a lost node. The pod there may still be running and may come back, so its password
   * and its key are made invalid before another one starts.
   */
  async takeOver(site: Site, lost: SitePod[]) {
    await this.rotate(site);
    for (const { name } of lost) await this.cluster.forceDelete(name);
    await this.ensure(site);
  }

  /** The ids of the sites whose installation is complete. */
  listInstalled(): Promise<string[]> {
    return this.options.sites.listInstalled();
  }

  async isKnown(siteId: string): Promise<boolean> {
    return (await this.options.sites.find(siteId)) !== undefined;
  }

  /** Creates what is missing of a site's objects. */
  async repair(site: Site) {
    // A deployment that was deleted leaves its pod behind for a moment.
    await this.pods.waitForNone(site.id, startMs);
    await this.applyObjects(site);
  }

  private async call(site: Site, request: Omit<SiteRequest, "script">, script: AgentCall["script"]) {
    const { method, url, headers, body, visitor, server, seconds = this.options.requestSeconds } = request;
    const call: AgentCall = {
      siteUrl: site.url,
      visitor,
      seconds,
      ...(script && { script }),
      ...(server && { server }),
    };
    const fields = { ...headers, [callHeader]: Buffer.from(JSON.stringify(call)).toString("base64url") };
    const timeoutMs = (seconds + 10) * 1000;
    const send = async () => {
      // The worker also brings the pod up to date, for example to another WordPress version.
      const target = this.options.canManage ? await this.ensure(site) : await this.wake(site.id);
      return this.send(target, { method, path: url, headers: fields, body, timeoutMs });
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

  /** Makes one of the platform's own requests, and returns the answer. */
  private async manage(pod: SitePod, method: string, path: string, body?: Readable): Promise<unknown> {
    const response = await this.open(pod, method, path, body ? longMs : shortMs, body);
    return JSON.parse((await readBounded(response, maxJsonBytes)).toString());
  }

  private async open(pod: SitePod, method: string, path: string, timeoutMs = longMs, body?: Readable) {
    const response = await this.send(pod, { method, path, body, timeoutMs });
    if (response.statusCode === 200) return response;
    throw new RuntimeFailed(`the agent of site ${pod.siteId} answered ${response.statusCode}: ${await text(response)}`);
  }

  private async send({ siteId, address }: SitePod, call: Parameters<AgentClient["send"]>[1]): Promise<IncomingMessage> {
    const site = await this.options.sites.find(siteId);
    if (!site) throw new RuntimeFailed(`site ${siteId} is not on Kubernetes`);
    return this.agents.send({ siteId, address, key: site.key }, call);
  }

  /** A pod that is ready and has the site's current secrets. */
  private async findAwake(siteId: string): Promise<SitePod | undefined> {
    await this.pods.start();
    const version = await this.secretsVersion(siteId);
    return this.pods.of(siteId).find(({ isReady, secrets }) => isReady && secrets === version);
  }

  /** The version of a site's secrets. A pod with a later one than this process knows means that they have changed. */
  private async secretsVersion(siteId: string): Promise<number | undefined> {
    const { sites } = this.options;
    const known = (await sites.find(siteId))?.version;
    if (known !== undefined && this.pods.of(siteId).some(({ secrets }) => secrets > known)) sites.forget(siteId);
    return (await sites.find(siteId))?.version;
  }

  /** A pod of the site, started if it sleeps: once, however many requests wait for it. */
  private async wake(siteId: string): Promise<SitePod> {
    const awake = await this.findAwake(siteId);
    if (awake) return awake;
    await this.changes.run(`wake ${siteId}`, async () => {
      if (this.pods.of(siteId).length === 0) await this.cluster.scale(objectName(siteId), 1);
    });
    const version = (await this.secretsVersion(siteId)) ?? 0;
    const pod = await this.pods.waitFor(siteId, ({ isReady, secrets }) => isReady && secrets >= version, startMs);
    if (pod.secrets > version) this.options.sites.forget(siteId);
    return pod;
  }

  /** A pod of the site with exactly this WordPress version, plan and secrets. */
  private async ensure(site: Site): Promise<SitePod> {
    const { sites, cluster } = this.options;
    await this.pods.start();
    const secrets = await sites.find(site.id);
    if (!secrets) throw new RuntimeFailed(`site ${site.id} is not on Kubernetes`);
    const spec = specOf(site, secrets, cluster);
    const fits = (pod: SitePod) => pod.isReady && pod.spec === spec;
    const found = this.pods.of(site.id).find(fits);
    if (found) return found;
    await this.changes.run(`ensure ${site.id}`, async () => {
      if (this.pods.of(site.id).some((pod) => pod.spec === spec)) return;
      await this.applyObjects(site);
      await this.cluster.scale(objectName(site.id), 1);
    });
    return this.pods.waitFor(site.id, fits, startMs);
  }

  private async applyObjects(site: Site) {
    const { sites, cluster } = this.options;
    const secrets = await sites.find(site.id);
    if (!secrets) throw new RuntimeFailed(`site ${site.id} is not on Kubernetes`);
    for (const object of siteObjects(site, secrets, cluster)) await this.cluster.apply(object);
  }
}

function preparedKey(core: string, name: string): string {
  return `prepared/${core}/${name}.sql`;
}
