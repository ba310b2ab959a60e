import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { failTask } from "../../tasks/queries.ts";
import { type Billing, unlessMissing } from "../Billing.ts";
import { resumePath } from "../checkout/checkoutUrls.ts";
import { type CheckoutRow, holdProcessing, releaseCheckout } from "../checkout/queries.ts";
import { idOf } from "../idOf.ts";
import { oweRefund } from "../refunds/oweRefund.ts";
import { findPaymentStep } from "./findPaymentStep.ts";
import { isOver } from "./isOver.ts";
import { voidInvoice } from "./voidInvoices.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Direct debits take 14 working days at most. After this no name is held. */
const maxProcessingDays = 30;

/**
 * A checkout is complete, but its money is not certain: a direct debit takes days. The name stays held until the
 * provider reports the result. A failed payment ends the purchase.
 */
export async function awaitPayment(
  billing: Billing,
  subscription: Stripe.Subscription,
  session: Stripe.Checkout.Session,
  checkout: CheckoutRow,
) {
  const invoiceId = idOf(subscription.latest_invoice);
  const step = invoiceId ? await findPaymentStep(billing, invoiceId) : undefined;
  if (step === "declined" || isOver(subscription)) return endPurchase(billing, subscription, session, checkout);

  const since = await hold(billing, checkout);
  if (!since || Date.now() < since.getTime() + maxProcessingDays * dayMs) return;
  const purchase = { subId: subscription.id, checkout: checkout.id };
  billing.log.error(
    purchase,
    `a payment has been processed for more than ${maxProcessingDays} days: its name is freed`,
  );
  await endPurchase(billing, subscription, session, checkout);
}

function hold({ db }: Billing, { id, userId, name }: CheckoutRow): Promise<Date | undefined> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const since = await holdProcessing(tx, id);
    const key = `processing ${id}`;
    if (since && (await record(tx, userId, platform, { kind: "purchaseProcessing", params: { project: name }, key }))) {
      await mailCustomer(tx, userId, "purchaseProcessing", { name }, key);
      await announceChange(tx, userId);
    }
    return since;
  });
}

/** Ends the subscription first: until then the name could still be paid for. */
async function endPurchase(
  billing: Billing,
  subscription: Stripe.Subscription,
  session: Stripe.Checkout.Session,
  checkout: CheckoutRow,
) {
  const { db, stripe } = billing;
  if (!isOver(subscription)) await unlessMissing(stripe.subscriptions.cancel(subscription.id));
  const isPaid = (await voidInvoice(billing, idOf(subscription.latest_invoice))) === "paid";
  const { id, userId, name, taskId } = checkout;
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if (!(await releaseCheckout(tx, id, session.id))) return;
    // The customer has paid on the invoice's page, too late.
    if (isPaid) await oweRefund(tx, { subscription, session, checkout, reason: "its first payment had failed" });
    if (taskId) await failTask(tx, taskId, "error_purchase_unpaid");
    await record(tx, userId, platform, { kind: "purchaseFailed", params: { project: name }, key: `unpaid ${id}` });
    await mailCustomer(tx, userId, "purchaseFailed", { name, path: resumePath({ ...checkout, state: "expired" }) });
    await announceChange(tx, userId);
  });
}
