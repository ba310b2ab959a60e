import type { CustomerState } from "@nido/contract";
import type { Db } from "../db/connect.ts";
import { NotifiedCache } from "../platform/NotifiedCache.ts";
import { loadState } from "./loadState.ts";
import type { Sites } from "./presentProject.ts";

interface Entry {
  state: CustomerState;
  json: string;
}

/** Customers' states as `GET /redux` answers them, kept until a NOTIFY says that they changed. */
export class CustomerStates {
  private readonly db: Db;
  private readonly sites: Sites;
  private readonly cache: NotifiedCache<Entry>;

  constructor(db: Db, sites: Sites, isListening: () => boolean) {
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
