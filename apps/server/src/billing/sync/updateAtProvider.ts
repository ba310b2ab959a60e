import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import { type Billing, isRefusal, unlessMissing } from "../Billing.ts";
import { idOf } from "../idOf.ts";
import { findSubscription, hasUpdate, updateSubscription } from "../queries.ts";
import { isOver } from "./isOver.ts";
import { syncSubscription } from "./syncSubscription.ts";

type Ends = "now" | "withPeriod" | "never";

/** Ends a subscription at the provider, now or with its paid period and without a refund, or lets it be renewed again. */
export async function updateAtProvider(billing: Billing, subId: string, ends: Ends): Promise<void> {
  const { stripe } = billing;
  const isNow = ends === "now" || (ends === "withPeriod" && (await isOwed(billing, subId)));
  const cancelAtPeriodEnd = ends === "withPeriod";
  const changed = isNow
    ? await unlessMissing(stripe.subscriptions.cancel(subId))
    : await unlessOver(stripe.subscriptions.update(subId, { cancel_at_period_end: cancelAtPeriodEnd }));
  // An ended subscription is reported as missing, or refused. `retrieve` finds it, unless it belongs to another account.
  const subscription = changed ?? (await unlessMissing(stripe.subscriptions.retrieve(subId)));
  if (subscription && !isOver(subscription)) {
    if (isNow) throw new Error(`provider has not ended subscription ${subId}: status ${subscription.status}`);
    return recordChange(billing, subId, { cancelAtPeriodEnd });
  }
  // If it was taken back too late, its project is archived again, and its customer is told.
  if (subscription) return syncSubscription(billing, subId);
  if (!isFromStandIn(subId)) throw new Error(`provider has not ended subscription ${subId}: status unknown`);
  await recordChange(billing, subId, { endedAt: new Date() });
}

/** Whether the period that has begun is not paid yet: the provider would still try to collect it. */
async function isOwed({ stripe }: Billing, subId: string): Promise<boolean> {
  const subscription = await unlessMissing(stripe.subscriptions.retrieve(subId));
  const invoiceId = idOf(subscription?.latest_invoice);
  const invoice = invoiceId ? await unlessMissing(stripe.invoices.retrieve(invoiceId)) : undefined;
  return invoice?.status === "draft" || invoice?.status === "open";
}

/** Records the change, unless the customer has decided otherwise meanwhile. */
async function recordChange({ db }: Billing, subId: string, change: Parameters<typeof updateSubscription>[2]) {
  await db.transaction(async (tx) => {
    const known = await findSubscription(tx, subId);
    if (!known) return;
    await lockUser(tx, known.userId);
    if (!(await hasUpdate(tx, subId, { isWaiting: true }))) await updateSubscription(tx, subId, change);
  });
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
