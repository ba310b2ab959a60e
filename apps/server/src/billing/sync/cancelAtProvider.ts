import { type Billing, unlessMissing } from "../Billing.ts";
import { updateSubscription } from "../queries.ts";

/** Ends the subscription of a deleted project at the provider, at once and without a refund. */
export async function cancelAtProvider({ db, stripe }: Billing, subId: string) {
  // `cancel` reports an ended subscription as missing. `retrieve` finds it, unless it belongs to another
  // account.
  const subscription =
    (await unlessMissing(stripe.subscriptions.cancel(subId))) ??
    (await unlessMissing(stripe.subscriptions.retrieve(subId)));
  if (subscription?.status !== "canceled" && !isFromStandIn(subId))
    throw new Error(`provider has not ended subscription ${subId}: status ${subscription?.status ?? "unknown"}`);
  await db.transaction((tx) => updateSubscription(tx, subId, { endedAt: new Date() }));
}

/** The stand-in charges nobody, and the real provider does not have its subscriptions. */
function isFromStandIn(subId: string): boolean {
  return subId.startsWith("sub_sandbox");
}
