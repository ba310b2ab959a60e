import type { Stripe } from "stripe";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Db } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { recordEarning } from "../../referrals/recordEarning.ts";
import { type Billing, unlessMissing } from "../Billing.ts";
import { findCheckoutBySubscription } from "../checkout/queries.ts";
import { idOf } from "../idOf.ts";
import { syncInvoiceJob } from "../jobs.ts";
import { findSubscription } from "../queries.ts";
import { findRefusal } from "./findRefusal.ts";
import { syncSubscription } from "./syncSubscription.ts";

const receiptMs = 3 * 24 * 60 * 60 * 1000;

/** Updates an invoice's subscription and its referrer's earning from the provider. */
export async function syncInvoice(billing: Billing, invoiceId: string) {
  const { db, stripe, config } = billing;
  const invoice = await unlessMissing(stripe.invoices.retrieve(invoiceId));
  const subId = idOf(invoice?.parent?.subscription_details?.subscription);
  if (!invoice || !subId) return;
  await syncSubscription(billing, subId);

  await mailReceipt(db, subId, invoice);
  const checkout = await findCheckoutBySubscription(db, subId);
  if (!checkout?.referrerId || invoice.status !== "paid") return;
  const paid = invoice.amount_paid - (await sumRefunds(billing, invoiceId));
  const withoutTax = invoice.total > 0 ? (paid * (invoice.total_excluding_tax ?? invoice.total)) / invoice.total : 0;
  const { referrerId, userId } = checkout;
  const refusal = await findRefusal(billing, userId, referrerId);
  await db.transaction((tx) =>
    recordEarning(tx, {
      referrerId,
      invoiceId,
      paid: withoutTax,
      currency: invoice.currency,
      percent: config.REFERRAL_EARNING_PERCENT,
      refusal,
    }),
  );
}

/** Sends the receipt of a payment, once. Not of an old one: they are synced again after a restore of the database. */
async function mailReceipt(db: Db, subId: string, invoice: Stripe.Invoice) {
  const { id, status, amount_paid: amount, currency, number, hosted_invoice_url: url } = invoice;
  const paidAt = (invoice.status_transitions.paid_at ?? 0) * 1000;
  if (status !== "paid" || amount === 0 || Date.now() - paidAt > receiptMs) return;
  const subscription = await findSubscription(db, subId);
  if (!subscription) return;
  const { userId } = subscription;
  const paid = { amount, currency, number: number ?? (id as string) };
  await db.transaction(async (tx) => {
    await mailCustomer(tx, userId, "receipt", { ...paid, url: url ?? null }, `receipt ${id}`);
    const isNew = await record(tx, userId, platform, { kind: "invoicePaid", params: paid, key: `invoice ${id}` });
    if (isNew) await announceChange(tx, userId);
  });
}

/** Finds the invoices of a refunded payment and queues their sync, which subtracts the refund. */
export async function syncRefund(billing: Billing, paymentIntent: string) {
  const payments = billing.stripe.invoicePayments.list({
    payment: { type: "payment_intent", payment_intent: paymentIntent },
  });
  for await (const { invoice } of payments) {
    const invoiceId = idOf(invoice);
    const found = invoiceId && (await unlessMissing(billing.stripe.invoices.retrieve(invoiceId)));
    // Queued behind the customer's other jobs. The refund's own event may not name the customer.
    if (found) await enqueue(billing.db, syncInvoiceJob, { invoiceId }, idOf(found.customer));
  }
}

async function sumRefunds({ stripe }: Billing, invoiceId: string): Promise<number> {
  let sum = 0;
  for await (const { payment } of stripe.invoicePayments.list({ invoice: invoiceId, status: "paid" })) {
    const intent = idOf(payment.payment_intent);
    if (!intent) continue;
    for await (const refund of stripe.refunds.list({ payment_intent: intent }))
      if (refund.status !== "failed" && refund.status !== "canceled") sum += refund.amount;
  }
  return sum;
}
