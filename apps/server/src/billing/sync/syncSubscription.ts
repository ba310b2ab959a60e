import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import { platform, record } from "../../activity/record.ts";
import type { Config } from "../../config/parseConfig.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { archiveProjectOf, findProjectOf, resumeProjectOf } from "../../projects/queries.ts";
import { type Billing, unlessMissing } from "../Billing.ts";
import { findSubscription, hasUpdate, setCancelled, updateSubscription } from "../queries.ts";
import { mailTakeDown, takeDownEntry, takeDownProject } from "../takeDownProject.ts";
import { fulfilCheckout } from "./fulfilCheckout.ts";
import { isOver } from "./isOver.ts";
import { remindOfPayment } from "./remindOfPayment.ts";
import { suspendOverdue } from "./suspendOverdue.ts";
import { termsOf } from "./termsOf.ts";

/** Updates a subscription and its project from the provider. A new subscription fulfils its checkout. */
export async function syncSubscription(billing: Billing, subId: string) {
  const subscription = await unlessMissing(billing.stripe.subscriptions.retrieve(subId));
  if (!subscription) return billing.log.error({ subId }, "a subscription does not exist at the provider");

  if (!(await findSubscription(billing.db, subId))) await fulfilCheckout(billing, subscription);
  await update(billing, subscription);
  if (isOwed(subscription)) await suspendOverdue(billing);
}

async function update({ db, config }: Billing, subscription: Stripe.Subscription) {
  await db.transaction(async (tx) => {
    const owner = await findSubscription(tx, subscription.id);
    if (!owner) return; // not bought through this dashboard
    await lockUser(tx, owner.userId);
    const known = await findSubscription(tx, subscription.id);
    if (!known || known.endedAt) return; // an ended subscription does not come back

    if (isOver(subscription)) {
      const endedAt = subscription.ended_at ? new Date(subscription.ended_at * 1000) : new Date();
      await updateSubscription(tx, known.id, { endedAt });
      await setCancelled(tx, known.id);
      const project = await archiveProjectOf(tx, known.id);
      if (project) {
        await takeDownProject(tx, project);
        await mailTakeDown(tx, project);
        await record(tx, known.userId, platform, takeDownEntry("projectEnded", project, true));
      }
    } else {
      const pastDueSince = known.pastDueSince ?? new Date();
      // A cancellation in the provider's portal sets a date. One through the API may set only the flag.
      const isEnding = subscription.cancel_at_period_end || subscription.cancel_at !== null;
      // Until the provider has been told, what was decided here counts.
      const cancelAtPeriodEnd = (await hasUpdate(tx, known.id)) ? known.cancelAtPeriodEnd : isEnding;
      if (cancelAtPeriodEnd !== known.cancelAtPeriodEnd) await recordRenewal(tx, known, cancelAtPeriodEnd);
      await updateSubscription(tx, known.id, {
        ...termsOf(subscription),
        cancelAtPeriodEnd,
        pastDueSince: isOwed(subscription) ? pastDueSince : null,
      });
      if (!isOwed(subscription)) await resume(tx, config, known.id);
      else await remindOfPayment(tx, config, { ...known, pastDueSince });
    }
    await announceChange(tx, known.userId);
  });
}

/** The customer cancelled the renewal at the provider, or resumed it. */
async function recordRenewal(tx: Tx, { id, userId }: { id: string; userId: string }, isCancelled: boolean) {
  const project = await findProjectOf(tx, id);
  if (!project) return;
  const kind = isCancelled ? "renewalCancelled" : "renewalResumed";
  await record(tx, userId, platform, { kind, params: { project: project.name }, projectId: project.id });
}

async function resume(tx: Tx, { APP_URL, SITES_DOMAIN }: Config, subId: string) {
  const project = await resumeProjectOf(tx, subId);
  if (!project) return;
  const { id: projectId, userId, name } = project;
  await record(tx, userId, platform, { kind: "projectResumed", params: { project: name }, projectId });
  await mailCustomer(tx, userId, "restored", { projectId, name, url: `${APP_URL.protocol}//${name}.${SITES_DOMAIN}` });
}

function isOwed({ status }: Stripe.Subscription): boolean {
  return status === "past_due" || status === "unpaid" || status === "paused";
}
