import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Tx } from "../db/connect.ts";
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
  const adjust: SiteApi["change"] = async ({ userId }, work) => {
    await wordpress.db.transactionOf(userId, async (tx) => {
      await lockUser(tx, userId);
      await work(tx);
      await announceChange(tx, userId);
    });
    forget(userId);
  };
  return {
    wordpress,
    limiter,
    adjust,
    running: new Shares(1),
    locks,
    change: async (site, work) => {
      await limiter.take("siteBackups", site.id);
      await adjust(site, work);
    },
  };
}
