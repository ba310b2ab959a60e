import { type Billing, unlessMissing } from "../Billing.ts";
import { updateSubscription } from "../queries.ts";

/** Ends, at once and without a refund, a subscription that the customer gave up. */
export async function cancelAtProvider({ db, stripe }: Billing, subId: string) {
  // For this call the provider knows no more of one that has ended; only reading it tells that from a wrong account.
  const ended =
    (await unlessMissing(stripe.subscriptions.cancel(subId))) ??
    (await unlessMissing(stripe.subscriptions.retrieve(subId)));
  if (ended?.status !== "canceled" && !isStandIns(subId)) throw new Error(`the provider has not ended ${subId}`);
  await db.transaction((tx) => updateSubscription(tx, subId, { endedAt: new Date() }));
}

/** Bought while the product was being tried out: nobody is charged for it. */
function isStandIns(subId: string): boolean {
  return subId.startsWith("sub_sandbox");
}
