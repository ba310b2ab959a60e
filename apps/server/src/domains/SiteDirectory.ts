import { categoryOf } from "@nido/contract";
import type { Db } from "../db/connect.ts";
import { NotifiedCache } from "../platform/NotifiedCache.ts";
import { findSite } from "../projects/queries.ts";

export type SiteEntry = NonNullable<Awaited<ReturnType<typeof findSite>>>;

/** Whether a WordPress answers for it. */
export function isRunning({ recipe, status, core }: SiteEntry): boolean {
  return categoryOf(recipe) === "wordpress" && status === "active" && core !== null;
}

const mostRemembered = 20_000;

/** Which site answers to a name: kept until a NOTIFY says that something of its owner changed. */
export class SiteDirectory {
  private readonly db: Db;
  private readonly cache: NotifiedCache<SiteEntry>;
  /** for the time in which the database does not answer */
  private readonly remembered = new Map<string, SiteEntry>();

  constructor(db: Db, isListening: () => boolean) {
    this.db = db;
    this.cache = new NotifiedCache(isListening);
  }

  /** What is known without asking. */
  peek(name: string): SiteEntry | undefined {
    return this.cache.peek(name);
  }

  async find(name: string): Promise<SiteEntry | undefined> {
    try {
      const site = await this.cache.get(name, () => findSite(this.db, name));
      this.remember(name, site);
      return site;
    } catch (error) {
      const site = this.remembered.get(name);
      if (!site) throw error;
      return site;
    }
  }

  forgetOf(userId: string) {
    this.cache.forgetWhere((site) => site.userId === userId);
    // A customer's own host may be somebody else's by now.
    for (const [address, site] of this.remembered)
      if (site.userId === userId && address.includes(".")) this.remembered.delete(address);
  }

  forgetAll() {
    this.cache.forgetAll();
  }

  private remember(name: string, site: SiteEntry | undefined) {
    this.remembered.delete(name);
    if (!site) return;
    this.remembered.set(name, site);
    if (this.remembered.size > mostRemembered) this.remembered.delete(this.remembered.keys().next().value as string);
  }
}
