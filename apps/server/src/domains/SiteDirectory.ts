import { categoryOf } from "@nido/contract";
import { LRUCache } from "lru-cache";
import type { Db } from "../db/connect.ts";
import { NotifiedCache } from "../platform/NotifiedCache.ts";
import { findLabelled, findSite, type LabelledDeploy, type SiteEntry } from "./findSite.ts";

/** Whether this is a WordPress site that can answer requests. */
export function isRunning({ recipe, status, core }: SiteEntry): boolean {
  return categoryOf(recipe) === "wordpress" && status === "active" && core !== null;
}

/** Maps a project name or a customer's host to its site. An entry is kept until a NOTIFY says that its owner's state changed. */
export class SiteDirectory {
  private readonly db: Db;
  private readonly cache: NotifiedCache<SiteEntry>;
  private readonly deploys: NotifiedCache<LabelledDeploy & { userId: string }>;
  /** Used while the database is unavailable. */
  private readonly lastKnown = new LRUCache<string, SiteEntry>({ max: 20_000 });

  constructor(db: Db, isListening: () => boolean) {
    this.db = db;
    this.cache = new NotifiedCache(isListening);
    this.deploys = new NotifiedCache(isListening);
  }

  /** From memory only. */
  peek(name: string): SiteEntry | undefined {
    return this.cache.peek(name);
  }

  async find(name: string): Promise<SiteEntry | undefined> {
    try {
      const site = await this.cache.get(name, () => findSite(this.db, name));
      if (site) this.lastKnown.set(name, site);
      else this.lastKnown.delete(name);
      return site;
    } catch (error) {
      const site = this.lastKnown.get(name);
      if (!site) throw error;
      return site;
    }
  }

  /** The deploy of a site that has this label in its permanent address. */
  findDeploy({ id, userId }: SiteEntry, label: string): Promise<LabelledDeploy | undefined> {
    return this.deploys.get(`${id} ${label}`, async () => {
      const version = await findLabelled(this.db, id, label);
      return version && { ...version, userId };
    });
  }

  forgetOf(userId: string) {
    this.cache.forgetWhere((site) => site.userId === userId);
    this.deploys.forgetWhere((deploy) => deploy.userId === userId);
    // A custom domain may belong to another customer by now; a project name cannot.
    for (const [address, site] of this.lastKnown.entries())
      if (site.userId === userId && address.includes(".")) this.lastKnown.delete(address);
  }

  forgetAll() {
    this.cache.forgetAll();
    this.deploys.forgetAll();
  }
}
