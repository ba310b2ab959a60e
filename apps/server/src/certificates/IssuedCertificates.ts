import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import type { Db } from "../db/connect.ts";
import { Batch } from "../platform/Batch.ts";
import { NotifiedCache } from "../platform/NotifiedCache.ts";
import type { SecretBox } from "../platform/SecretBox.ts";
import { wildcardOf } from "./names.ts";
import { findIssued, findServed, type ServedRow } from "./queries.ts";
import { type ServedCertificate, serve } from "./secureContext.ts";

interface Options {
  db: Db;
  box: SecretBox;
  isListening: () => boolean;
  /** names of the platform itself; all others need a domain that is served */
  platformNames: string[];
}

const batchDelay = 5;
const maxNameLength = 253;
/** Each context takes some 50 kB. */
const maxContexts = 2000;

/**
 * The certificates in the database, as this process serves them. Which certificate a name has is remembered until a
 * NOTIFY says that its customer's state changed; the decrypted certificates are cached separately, and for longer.
 */
export class IssuedCertificates {
  private readonly options: Options;
  private readonly rows: NotifiedCache<ServedRow>;
  private readonly batch: Batch<ServedRow>;
  /** Used while the database is unavailable. */
  private readonly lastKnown = new LRUCache<string, ServedRow>({ max: maxContexts });
  private readonly contexts: LRUCache<string, ServedCertificate>;

  constructor(options: Options) {
    this.options = options;
    this.rows = new NotifiedCache(options.isListening);
    // Strangers can make up any number of names, so names are looked up together, not with a query for each.
    this.batch = new Batch((names) => findServed(options.db, names, options.platformNames), batchDelay);
    this.contexts = new LRUCache({
      max: maxContexts,
      ignoreFetchAbort: true,
      fetchMethod: async (_version, _stale, { context }) => this.decrypt(context as ServedRow),
    });
  }

  /** Whether memory can tell that the name has no certificate: scanners send anything. */
  isUnknown(host: string): boolean {
    const name = this.nameFor(host);
    if (this.rows.isMissing(name)) return true;
    const isPlausible = name.includes(".") && name.length <= maxNameLength && isIP(name) === 0;
    return !isPlausible && !this.options.platformNames.includes(name);
  }

  async find(host: string): Promise<ServedCertificate | undefined> {
    const name = this.nameFor(host);
    const row = await this.rowOf(name).catch((error) => {
      // The database is unavailable: sites stay reachable with what was last known.
      const known = this.lastKnown.get(name);
      if (!known) throw error;
      return known;
    });
    return row && (this.contexts.get(row.version) ?? this.contexts.fetch(row.version, { context: row }));
  }

  /** From memory only; undefined unless it is certain that the name is still served. */
  peekServed(host: string): ServedCertificate | undefined {
    const row = this.rows.peek(this.nameFor(host));
    return row && this.contexts.get(row.version);
  }

  /** From memory only; perhaps from before the name stopped being served. */
  peek(host: string): ServedCertificate | undefined {
    const known = this.lastKnown.get(this.nameFor(host));
    return this.peekServed(host) ?? (known && this.contexts.get(known.version));
  }

  forgetOf(userId: string) {
    this.rows.forgetWhere((row) => row.userId === userId);
    for (const [name, row] of this.lastKnown.entries()) if (row.userId === userId) this.lastKnown.delete(name);
  }

  forgetAll() {
    this.rows.forgetAll();
  }

  private async rowOf(name: string): Promise<ServedRow | undefined> {
    const row = await this.rows.get(name, () => this.batch.find(name));
    if (row) this.lastKnown.set(name, row);
    else this.lastKnown.delete(name);
    return row;
  }

  /** Names below SITES_DOMAIN share one certificate, so they are one entry. */
  private nameFor(host: string): string {
    const wildcard = wildcardOf(host);
    return this.options.platformNames.includes(wildcard) ? wildcard : host;
  }

  private async decrypt({ name }: ServedRow): Promise<ServedCertificate | undefined> {
    const issued = await findIssued(this.options.db, name);
    return issued && serve({ chain: issued.chain, key: this.options.box.open(issued.key, name) });
  }
}
