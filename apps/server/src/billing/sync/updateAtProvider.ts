import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import { type Billing, isRefusal, unlessMissing } from "../Billing.ts";
import { idOf } from "../idOf.ts";
import type { Ends } from "../jobs.ts";
import { findSubscription, hasUpdate, updateSubscription } from "../queries.ts";
import { findPaymentStep } from "./findPaymentStep.ts";
import { isOver, isOwed, willEnd } from "./isOver.ts";
import { syncSubscription } from "./syncSubscription.ts";

/** Ends a subscription at the provider, without a refund, or lets it be renewed again. */
export async function updateAtProvider(billing: Billing, subId: string, ends: Ends): Promise<void> {
  const { stripe } = billing;
  const isNow = ends === "now" || (ends === "withPeriod" && (await isUnpaid(billing, subId)));
  const isEnding = ends !== "never";
  const changed = isNow
    ? await unlessMissing(stripe.subscriptions.cancel(subId))
    : await unlessOver(setEnding(stripe, subId, isEnding));
  // An ended subscription is reported as missing, or refused. `retrieve` finds it, unless it belongs to another account.
  const subscription = changed ?? (await unlessMissing(stripe.subscriptions.retrieve(subId)));
  if (subscription && !isOver(subscription)) {
    if (isNow) throw new Error(`provider has not ended subscription ${subId}: status ${subscription.status}`);
    if (willEnd(subscription) !== isEnding)
      throw new Error(`provider has not changed the end of subscription ${subId}`);
    return recordChange(billing, subId, { cancelAtPeriodEnd: isEnding });
  }
  // If it was taken back too late, its project is archived again, and its customer is told.
  if (subscription) return syncSubscription(billing, subId);
  if (!isFromStandIn(subId)) throw new Error(`provider has not ended subscription ${subId}: status unknown`);
  await recordChange(billing, subId, { endedAt: new Date() });
}

/** A cancellation in the provider's portal sets a date. The flag does not clear it, and is refused together with it. */
async function setEnding(stripe: Stripe, subId: string, isEnding: boolean): Promise<Stripe.Subscription> {
  const known = await stripe.subscriptions.retrieve(subId);
  // The page of a change of the plan that nobody has paid yet would still take money.
  const unpaid = isEnding && known.pending_update ? idOf(known.latest_invoice) : undefined;
  if (unpaid) await stripe.invoices.voidInvoice(unpaid);
  const hasDate = known.cancel_at !== null && !known.cancel_at_period_end;
  if (hasDate && isEnding) return known;
  return stripe.subscriptions.update(subId, hasDate ? { cancel_at: "" } : { cancel_at_period_end: isEnding });
}

/**
 * Whether the period that has begun is not paid yet, and the provider would still try to collect it. In its first hour
 * the invoice is a draft. A direct debit on its way cannot be stopped: it pays for the period. An open invoice for a
 * change of the plan is not for the period.
 */
async function isUnpaid(billing: Billing, subId: string): Promise<boolean> {
  const { stripe } = billing;
  const subscription = await unlessMissing(stripe.subscriptions.retrieve(subId));
  if (!subscription) return false;
  const invoiceId = subscription.pending_update ? undefined : idOf(subscription.latest_invoice);
  const invoice = invoiceId ? await unlessMissing(stripe.invoices.retrieve(invoiceId)) : undefined;
  if (invoice?.status !== "open") return invoice?.status === "draft" || isOwed(subscription);
  return (await findPaymentStep(billing, invoice.id as string)) !== "processing";
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
