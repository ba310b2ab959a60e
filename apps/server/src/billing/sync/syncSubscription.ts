import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { archiveProjectOf, resumeProjectOf } from "../../projects/queries.ts";
import { type Billing, unlessMissing } from "../Billing.ts";
import { cancelSubscription, findSubscription, updateSubscription } from "../queries.ts";
import { takeDownProject } from "../takeDownProject.ts";
import { fulfilCheckout } from "./fulfilCheckout.ts";
import { isOver } from "./isOver.ts";
import { suspendOverdue } from "./suspendOverdue.ts";
import { termsOf } from "./termsOf.ts";

/** Brings a subscription, and the project it pays for, to where the provider has it. */
export async function syncSubscription(billing: Billing, subId: string) {
  const subscription = await unlessMissing(billing.stripe.subscriptions.retrieve(subId));
  if (!subscription) return billing.log.error({ subId }, "the provider does not know a subscription");

  if (!(await findSubscription(billing.db, subId))) await fulfilCheckout(billing, subscription);
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

    if (isOver(subscription)) {
      const endedAt = subscription.ended_at ? new Date(subscription.ended_at * 1000) : new Date();
      await updateSubscription(tx, known.id, { endedAt });
      await cancelSubscription(tx, known.id);
      const project = await archiveProjectOf(tx, known.id);
      if (project) await takeDownProject(tx, project);
    } else {
      await updateSubscription(tx, known.id, {
        ...termsOf(subscription),
        // Ended in the provider's portal, it has a date; ended by a call, it may have the flag alone.
        cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
        pastDueSince: isOwed(subscription) ? (known.pastDueSince ?? new Date()) : null,
      });
      if (!isOwed(subscription)) await resumeProjectOf(tx, known.id);
    }
    await announceChange(tx, known.userId);
  });
}

function isOwed({ status }: Stripe.Subscription): boolean {
  return status === "past_due" || status === "unpaid" || status === "paused";
}
