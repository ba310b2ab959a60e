import type { Stripe } from "stripe";
import { type Billing, isRefusal, unlessMissing } from "../Billing.ts";
import { updateSubscription } from "../queries.ts";
import { isOver } from "./isOver.ts";
import { syncSubscription } from "./syncSubscription.ts";

/** Ends a subscription at the provider, now or with its paid period and without a refund, or lets it be renewed again. */
export async function updateAtProvider(
  billing: Billing,
  subId: string,
  ends: "now" | "withPeriod" | "never",
): Promise<void> {
  const { db, stripe } = billing;
  const cancelAtPeriodEnd = ends === "withPeriod";
  const subscription =
    ends === "now"
      ? await unlessMissing(stripe.subscriptions.cancel(subId))
      : await unlessOver(stripe.subscriptions.update(subId, { cancel_at_period_end: cancelAtPeriodEnd }));
  if (subscription && !isOver(subscription)) {
    if (ends === "now") throw new Error(`provider has not ended subscription ${subId}: status ${subscription.status}`);
    return db.transaction((tx) => updateSubscription(tx, subId, { cancelAtPeriodEnd }));
  }
  // An ended subscription is reported as missing, or refused. `retrieve` finds it, unless it belongs to another account.
  const ended = subscription ?? (await unlessMissing(stripe.subscriptions.retrieve(subId)));
  if (!(ended && isOver(ended)) && !isFromStandIn(subId))
    throw new Error(`provider has not ended subscription ${subId}: status ${ended?.status ?? "unknown"}`);
  // Taken back too late: the project is archived again, and its customer is told.
  if (ends === "never") return syncSubscription(billing, subId);
  await db.transaction((tx) => updateSubscription(tx, subId, { endedAt: new Date() }));
}

/** Undefined if the provider refuses to change the subscription. */
async function unlessOver(update: Promise<Stripe.Subscription>): Promise<Stripe.Subscription | undefined> {
  try {
    return await update;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** The stand-in charges nobody, and the real provider does not have its subscriptions. */
function isFromStandIn(subId: string): boolean {
  return subId.startsWith("sub_sandbox");
}
