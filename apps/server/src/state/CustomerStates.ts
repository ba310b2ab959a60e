import type { CustomerState } from "@nido/contract";
import type { Db } from "../db/connect.ts";
import { NotifiedCache } from "../platform/NotifiedCache.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import { loadState } from "./loadState.ts";

interface Entry {
  state: CustomerState;
  json: string;
}

/** Caches customers' states as `GET /redux` returns them, until a NOTIFY invalidates them. */
export class CustomerStates {
  private readonly db: Db;
  private readonly sites: SiteAddresses;
  private readonly cache: NotifiedCache<Entry>;

  constructor(db: Db, sites: SiteAddresses, isListening: () => boolean) {
    this.db = db;
    this.sites = sites;
    this.cache = new NotifiedCache(isListening);
  }

  find(userId: string): Promise<Entry | undefined> {
    return this.cache.get(userId, async () => {
      const state = await loadState(this.db, userId, this.sites);
      return state && { state, json: JSON.stringify(state) };
    });
  }

  forget(userId: string) {
    this.cache.forget(userId);
  }

  forgetAll() {
    this.cache.forgetAll();
  }
}
