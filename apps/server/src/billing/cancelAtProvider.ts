import { type Billing, isMissing } from "./Billing.ts";
import { updateSubscription } from "./queries.ts";

/** Ends, at once and without a refund, a subscription that the customer gave up. The provider knows no more of one that has ended. */
export async function cancelAtProvider({ db, stripe }: Billing, subId: string) {
  await stripe.subscriptions.cancel(subId).catch((error) => {
    if (!isMissing(error)) throw error;
  });
  await db.transaction((tx) => updateSubscription(tx, subId, { endedAt: new Date() }));
}
