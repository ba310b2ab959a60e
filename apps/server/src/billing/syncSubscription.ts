import type { Stripe } from "stripe";
import { lockUser } from "../account/queries.ts";
import { archiveProjectOf, restoreProjectOf } from "../projects/queries.ts";
import { announceChange } from "../remote/announceChange.ts";
import { type Billing, isMissing } from "./Billing.ts";
import { fulfil } from "./fulfil.ts";
import { cancelSubscription, findSubscription, updateSubscription } from "./queries.ts";
import { suspendOverdue } from "./suspendOverdue.ts";
import { termsOf } from "./termsOf.ts";

/** Brings a subscription, and the project it pays for, to where the provider has it. */
export async function syncSubscription(billing: Billing, subId: string) {
  const subscription = await billing.stripe.subscriptions.retrieve(subId).catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!subscription) return billing.log.error({ subId }, "the provider does not know a subscription that it told of");

  if (!(await findSubscription(billing.db, subId))) await fulfil(billing, subscription);
  await record(billing, subscription);
  if (isOwed(subscription)) await suspendOverdue(billing);
}

async function record({ db }: Billing, subscription: Stripe.Subscription) {
  await db.transaction(async (tx) => {
    const owner = await findSubscription(tx, subscription.id);
    if (!owner) return; // it pays for nothing of ours
    await lockUser(tx, owner.userId);
    const known = await findSubscription(tx, subscription.id);
    if (!known || known.endedAt) return; // the end is for good

    const isOver = subscription.status === "canceled" || subscription.status === "incomplete_expired";
    await updateSubscription(tx, known.id, {
      ...termsOf(subscription),
      cancelAtPeriodEnd: subscription.cancel_at_period_end,
      pastDueSince: isOwed(subscription) ? (known.pastDueSince ?? new Date()) : null,
      endedAt: isOver ? new Date((subscription.ended_at ?? Date.now() / 1000) * 1000) : null,
    });
    if (isOver) {
      await cancelSubscription(tx, known.id);
      await archiveProjectOf(tx, known.id);
    } else if (!isOwed(subscription)) {
      await restoreProjectOf(tx, known.id);
    }
    await announceChange(tx, known.userId);
  });
}

function isOwed({ status }: Stripe.Subscription): boolean {
  return status === "past_due" || status === "unpaid" || status === "paused";
}
