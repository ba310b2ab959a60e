import { KeyedMutex } from "../../platform/KeyedMutex.ts";
import { siteLimits } from "../native/siteLimits.ts";
import { RuntimeFailed, type Site } from "../WordPressRuntime.ts";
import type { Cluster } from "./Cluster.ts";
import type { ClusterSite, ClusterSites } from "./ClusterSites.ts";
import type { MariaDbServers } from "./MariaDbServers.ts";
import type { SitePod, SitePods } from "./SitePods.ts";
import { type ClusterOptions, objectName, siteObjects, siteVolume, specOf } from "./siteObjects.ts";

interface Dependencies {
  pods: SitePods;
  cluster: Cluster;
  sites: ClusterSites;
  mariadb: MariaDbServers;
  options: ClusterOptions;
}

/** Longer than a node usually takes to attach a volume and start a pod. */
const startMs = 60_000;
/** Lower than every version of a site's secrets. */
const notForRequests = 0;

/** Starts, replaces and finds the pods of sites. */
export class PodManager {
  private readonly pods: SitePods;
  private readonly cluster: Cluster;
  private readonly sites: ClusterSites;
  private readonly mariadb: MariaDbServers;
  private readonly options: ClusterOptions;
  private readonly changes = new KeyedMutex();

  constructor({ pods, cluster, sites, mariadb, options }: Dependencies) {
    this.pods = pods;
    this.cluster = cluster;
    this.sites = sites;
    this.mariadb = mariadb;
    this.options = options;
  }

  /** Gives a site new secrets, and a pod that has them. The old pod can neither answer nor write any longer. */
  async rotate(site: Site, wordpress?: Record<string, string>) {
    await this.applyObjects(site, await this.sites.rotate(site.id, wordpress));
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

  /** Creates what is missing of a site's objects, except its volume. */
  async repair(site: Site) {
    // A deployment that was deleted leaves its pod behind for a moment.
    await this.pods.waitForNone(site.id, startMs);
    this.sites.forget(site.id);
    await this.applyObjects(site, await this.secretsOf(site));
  }

  /** Creates the site's volume, unless it has one. Only for sites without data: a lost volume must not become an empty one. */
  async createVolume(site: Site) {
    await this.cluster.create(siteVolume(site, await this.secretsOf(site), this.options));
  }

  /** A pod of the site with another volume, which is created if needed. No request goes to it but those of the caller. */
  async openVolume(site: Site, volume: string): Promise<SitePod> {
    const secrets = { ...(await this.secretsOf(site)), volume, version: notForRequests };
    await this.cluster.create(siteVolume(site, secrets, this.options));
    return this.start(site, async () => secrets);
  }

  /** Lets a site sleep. Its running requests get some time to finish. */
  async rest(siteId: string) {
    await this.cluster.scale(objectName(siteId), 0);
  }

  /** A pod that is ready and has the site's current secrets. */
  async findAwake(siteId: string): Promise<SitePod | undefined> {
    await this.pods.start();
    const version = await this.secretsVersion(siteId);
    return this.pods.of(siteId).find(({ isReady, secrets }) => isReady && secrets === version);
  }

  /** The version of a site's secrets. A pod with a later one than this process knows means that they have changed. */
  private async secretsVersion(siteId: string): Promise<number | undefined> {
    const { sites } = this;
    const known = (await sites.find(siteId))?.version;
    if (known !== undefined && this.pods.of(siteId).some(({ secrets }) => secrets > known)) sites.forget(siteId);
    return (await sites.find(siteId))?.version;
  }

  /** A pod of the site, started if it sleeps: once, however many requests wait for it. */
  async wake(siteId: string): Promise<SitePod> {
    const awake = await this.findAwake(siteId);
    if (awake) return awake;
    await this.changes.run(`wake ${siteId}`, async () => {
      if (this.pods.of(siteId).every(({ isEnding }) => isEnding)) await this.cluster.scale(objectName(siteId), 1);
    });
    const version = (await this.secretsVersion(siteId)) ?? 0;
    const pod = await this.pods.waitFor(siteId, ({ isReady, secrets }) => isReady && secrets >= version, startMs);
    if (pod.secrets > version) this.sites.forget(siteId);
    return pod;
  }

  /** A pod of the site with exactly this WordPress version, plan and secrets. */
  async ensure(site: Site): Promise<SitePod> {
    return this.start(site, () => this.secretsOf(site));
  }

  private async start(site: Site, secretsOf: () => Promise<ClusterSite>): Promise<SitePod> {
    await this.pods.start();
    const spec = specOf(site, await secretsOf(), this.options);
    const fits = (pod: SitePod) => pod.isReady && pod.spec === spec;
    const found = this.pods.of(site.id).find(fits);
    if (found) return found;
    await this.changes.run(`ensure ${site.id}`, async () => {
      if (this.pods.of(site.id).some((pod) => pod.spec === spec && !pod.isEnding)) return;
      // Another worker may have changed the secrets: those in memory must not replace them.
      this.sites.forget(site.id);
      await this.applyObjects(site, await secretsOf());
      await this.cluster.scale(objectName(site.id), 1);
    });
    return this.pods.waitFor(site.id, fits, startMs);
  }

  private async applyObjects(site: Site, secrets: ClusterSite) {
    // Again, in case a change of the secrets was interrupted. The pod is replaced anyway.
    await this.mariadb.setAccess(secrets.database, siteLimits(site.recipe).database);
    for (const object of siteObjects(site, secrets, this.options)) await this.cluster.apply(object);
  }

  private async secretsOf({ id }: Site): Promise<ClusterSite> {
    const secrets = await this.sites.find(id);
    if (!secrets) throw new RuntimeFailed(`site ${id} is not on Kubernetes`);
    return secrets;
  }
}
