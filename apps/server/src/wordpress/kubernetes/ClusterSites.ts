import { randomBytes } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Db } from "../../db/connect.ts";
import { clusterSites } from "../../db/schema.ts";
import type { SecretBox } from "../../platform/SecretBox.ts";
import { newSecrets } from "../lifecycle/newSecrets.ts";

/** What a site's pod has to know. */
export interface ClusterSite {
  /** grows with every change of the secrets or the volume */
  version: number;
  /** undefined: the volume that it was created with */
  volume: string | undefined;
  /** the key of its agent */
  key: Buffer;
  database: { name: string; host: string; password: string; tls: boolean };
  /** the keys and salts that WordPress signs cookies with */
  wordpress: Record<string, string>;
}

const secretsSchema = z.object({
  key: z.base64url(),
  password: z.string(),
  tls: z.boolean(),
  wordpress: z.record(z.string(), z.string()),
});
type Secrets = z.output<typeof secretsSchema>;

const maxCached = 20_000;
const cachedMs = 30_000;

/** The secrets of the sites on Kubernetes, encrypted in the database. */
export class ClusterSites {
  private readonly db: Db;
  private readonly box: SecretBox;
  private readonly cache = new LRUCache<string, ClusterSite>({ max: maxCached, ttl: cachedMs });

  constructor(db: Db, box: SecretBox) {
    this.db = db;
    this.box = box;
  }

  /** May be up to 30 seconds old. A request to a pod with newer secrets then fails: call `forget` and retry. */
  async find(siteId: string): Promise<ClusterSite | undefined> {
    const cached = this.cache.get(siteId);
    if (cached) return cached;
    const site = await this.read(siteId);
    if (site) this.cache.set(siteId, site);
    return site;
  }

  forget(siteId: string) {
    this.cache.delete(siteId);
  }

  /** Creates the secrets of a new site. */
  async create(siteId: string, server: { host: string; tls: boolean }): Promise<ClusterSite> {
    const secrets = { ...newKeys(), tls: server.tls, wordpress: newSecrets() };
    await this.db
      .insert(clusterSites)
      .values({ siteId, databaseHost: server.host, secrets: this.seal(siteId, secrets) });
    this.forget(siteId);
    return (await this.read(siteId)) as ClusterSite;
  }

  /** Gives a site a new database password and a new key, so that a pod with the old ones is powerless. */
  async rotate(siteId: string, wordpress?: Record<string, string>): Promise<ClusterSite> {
    const rotated = await this.db.transaction(async (tx) => {
      const [row] = await tx.select().from(clusterSites).where(eq(clusterSites.siteId, siteId)).for("update");
      if (!row) throw new Error(`site ${siteId} is not on Kubernetes`);
      const known = this.unseal(siteId, row.secrets);
      const secrets = { ...known, ...newKeys(), wordpress: wordpress ?? known.wordpress };
      const version = row.version + 1;
      await tx
        .update(clusterSites)
        .set({ secrets: this.seal(siteId, secrets), version })
        .where(eq(clusterSites.siteId, siteId));
      return present(siteId, { ...row, version }, secrets);
    });
    this.forget(siteId);
    return rotated;
  }

  /**
   * Re-encrypts secrets that an earlier ENCRYPTION_KEY encrypted, so that the earlier one can be removed. Returns the
   * sites whose secrets cannot be decrypted.
   */
  async encryptAgain(): Promise<string[]> {
    const lost: string[] = [];
    const isOld = sql`substring(${clusterSites.secrets} from 1 for 4) <> ${this.box.currentId}`;
    for (const { siteId, secrets } of await this.db.select().from(clusterSites).where(isOld)) {
      if (!this.box.canOpen(secrets)) {
        lost.push(siteId);
        continue;
      }
      await this.db
        .update(clusterSites)
        .set({ secrets: this.seal(siteId, this.unseal(siteId, secrets)) })
        .where(and(eq(clusterSites.siteId, siteId), eq(clusterSites.secrets, secrets)));
    }
    return lost;
  }

  /** Pods with the earlier volume are not used any longer. */
  async setVolume(siteId: string, volume: string) {
    const rows = await this.db
      .update(clusterSites)
      .set({ volume, version: sql`${clusterSites.version} + 1` })
      .where(eq(clusterSites.siteId, siteId))
      .returning({ siteId: clusterSites.siteId });
    this.forget(siteId);
    if (rows.length === 0) throw new Error(`site ${siteId} is not on Kubernetes`);
  }

  async setInstalledCore(siteId: string, installedCore: string | null) {
    await this.db.update(clusterSites).set({ installedCore }).where(eq(clusterSites.siteId, siteId));
  }

  async installedCore(siteId: string): Promise<string | undefined> {
    const [row] = await this.db.select().from(clusterSites).where(eq(clusterSites.siteId, siteId));
    return row?.installedCore ?? undefined;
  }

  async listInstalled() {
    return this.db
      .select({ id: clusterSites.siteId, volume: clusterSites.volume })
      .from(clusterSites)
      .where(isNotNull(clusterSites.installedCore));
  }

  async remove(siteId: string) {
    this.forget(siteId);
    await this.db.delete(clusterSites).where(eq(clusterSites.siteId, siteId));
  }

  /** How many sites each database server has. */
  async countByHost(): Promise<Map<string, number>> {
    const rows = await this.db
      .select({ host: clusterSites.databaseHost, count: sql<number>`count(*)::int` })
      .from(clusterSites)
      .groupBy(clusterSites.databaseHost);
    return new Map(rows.map(({ host, count }) => [host, count]));
  }

  private async read(siteId: string): Promise<ClusterSite | undefined> {
    const [row] = await this.db.select().from(clusterSites).where(eq(clusterSites.siteId, siteId));
    return row && present(siteId, row, this.unseal(siteId, row.secrets));
  }

  private seal(siteId: string, secrets: Secrets): Buffer {
    return this.box.seal(JSON.stringify(secrets), siteId);
  }

  private unseal(siteId: string, sealed: Buffer): Secrets {
    return secretsSchema.parse(JSON.parse(this.box.open(sealed, siteId)));
  }
}

function newKeys() {
  return { key: randomBytes(32).toString("base64url"), password: randomBytes(24).toString("base64url") };
}

function present(
  siteId: string,
  {
    databaseHost: host,
    version,
    volume,
  }: Pick<typeof clusterSites.$inferSelect, "databaseHost" | "version" | "volume">,
  { key, password, tls, wordpress }: Secrets,
): ClusterSite {
  const database = { name: databaseName(siteId), host, password, tls };
  return { version, volume: volume ?? undefined, key: Buffer.from(key, "base64url"), database, wordpress };
}

function databaseName(siteId: string): string {
  return `site_${siteId.replaceAll("-", "")}`;
}
