import { and, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import { certificateHosts } from "../db/schema.ts";

/**
 * New host names of one customer in a day. All customers share the weekly numbers of certificates that an authority
 * issues for one registered domain and for one account.
 */
const hostsPerDay = 20;

/** Whether a certificate may be ordered for this host of a customer. A host that was allowed once stays allowed. */
export async function grantCertificate(db: Db, userId: string, host: string): Promise<boolean> {
  const isIt = and(eq(certificateHosts.host, host), eq(certificateHosts.userId, userId));
  if ((await db.$count(certificateHosts, isIt)) > 0) return true;
  return db.transactionOf(userId, async (tx) => {
    const isRecent = gt(certificateHosts.grantedAt, sql`now() - interval '1 day'`);
    if ((await tx.$count(certificateHosts, and(eq(certificateHosts.userId, userId), isRecent))) >= hostsPerDay)
      return false;
    // A host that belonged to another customer counts as a new host of this one.
    await tx
      .insert(certificateHosts)
      .values({ host, userId })
      .onConflictDoUpdate({ target: certificateHosts.host, set: { userId, grantedAt: sql`now()` } });
    return true;
  });
}
