import type { Db, Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { type Ends, updateAtProviderJob } from "./jobs.ts";
import { findPayer, findSubscription, setCancelled } from "./queries.ts";

/**
 * Cancels a subscription here, at once. At the provider it ends with the paid period, so that nothing is charged any
 * more and it can still be resumed without a new payment. One with an overdue payment ends at once, by what the
 * provider says when the job runs. Returns whether it was going to be renewed.
 */
export async function cancelSubscription(tx: Tx, id: string): Promise<{ renews: boolean }> {
  const subscription = await findSubscription(tx, id);
  await setCancelled(tx, id);
  if (subscription && !subscription.endedAt) await requestUpdate(tx, id, "withPeriod");
  return { renews: subscription?.cancelAtPeriodEnd === false };
}

/** The job waits for the others of the customer at the provider, so that none of them reports what it changes. */
export async function requestUpdate(tx: Tx | Db, subId: string, ends: Ends) {
  await enqueue(tx, updateAtProviderJob, { subId, ends }, (await findPayer(tx, subId)) ?? subId);
}
