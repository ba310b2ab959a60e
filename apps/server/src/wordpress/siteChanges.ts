import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";
import type { SiteRow } from "./queries.ts";

interface Deps {
  db: Db;
  limiter: RateLimiter;
  forget(userId: string): void;
}

/** Begins something that reads or writes a whole site, in a transaction that the dashboard sees. */
export type ChangeSite = (site: SiteRow, work: (tx: Tx) => Promise<void>) => Promise<void>;

export function createSiteChanges({ db, limiter, forget }: Deps): ChangeSite {
  return async ({ id, userId }, work) => {
    await limiter.take("siteBackups", id);
    await db.transactionOf(userId, async (tx) => {
      await lockUser(tx, userId);
      await work(tx);
      await announceChange(tx, userId);
    });
    forget(userId);
  };
}
