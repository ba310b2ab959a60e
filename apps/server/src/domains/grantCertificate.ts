import { and, eq, gt, sql } from "drizzle-orm";
import { lockUser } from "../account/queries.ts";
import type { Db, Tx } from "../db/connect.ts";
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
  const isRecent = and(
    eq(certificateHosts.userId, userId),
    gt(certificateHosts.grantedAt, sql`now() - interval '1 day'`),
  );
  const hasRoom = async (at: Db | Tx) => (await at.$count(certificateHosts, isRecent)) < hostsPerDay;
  // Checked before, too: strangers' handshakes must not keep the customer's own changes waiting.
  if (!(await hasRoom(db))) return false;
  return db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    if (!(await hasRoom(tx))) return false;
    // A host that another customer had before counts for the new one.
    await tx
      .insert(certificateHosts)
      .values({ host, userId })
      .onConflictDoUpdate({ target: certificateHosts.host, set: { userId, grantedAt: sql`now()` } });
    return true;
  });
}
