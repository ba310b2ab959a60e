import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import type { HeldLocks } from "../db/HeldLocks.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";
import { Shares } from "../platform/Shares.ts";
import type { SiteRow } from "./queries.ts";
import type { WordPress } from "./WordPress.ts";

/** The dependencies of the routes about a WordPress site. */
export interface SiteApi {
  wordpress: WordPress;
  limiter: RateLimiter;
  /** Begins something that reads or writes a whole site, in a transaction that the dashboard sees. */
  change(site: SiteRow, work: (tx: Tx) => Promise<void>): Promise<void>;
  /** The same for something small. */
  adjust: SiteApi["change"];
  /** the sites in which a command runs: one at a time in each */
  running: Shares;
  locks: HeldLocks;
}

export function createSiteApi(
  wordpress: WordPress,
  limiter: RateLimiter,
  locks: HeldLocks,
  forget: (userId: string) => void,
): SiteApi {
  return { wordpress, limiter, ...createChanges(wordpress.db, limiter, forget), running: new Shares(1), locks };
}

/** `forget`: for who reads the customer's state at once */
export function createChanges(
  db: Db,
  limiter: RateLimiter,
  forget?: (userId: string) => void,
): Pick<SiteApi, "change" | "adjust"> {
  const adjust: SiteApi["adjust"] = async ({ userId }, work) => {
    await db.transactionOf(userId, async (tx) => {
      await lockUser(tx, userId);
      await work(tx);
      await announceChange(tx, userId);
    });
    forget?.(userId);
  };
  const change: SiteApi["change"] = async (site, work) => {
    await limiter.take("siteBackups", site.id);
    await adjust(site, work);
  };
  return { adjust, change };
}
