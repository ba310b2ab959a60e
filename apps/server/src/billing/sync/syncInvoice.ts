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
import { payRefundJob, syncInvoiceJob } from "../jobs.ts";
import { findSubscription } from "../queries.ts";
import { readPayments, takenFrom } from "../readPayments.ts";
import { oweLatePayment } from "../refunds/oweLatePayment.ts";
import { findRefundsOf } from "../refunds/queries.ts";
import { findRefusal } from "./findRefusal.ts";
import { syncDisputes } from "./syncDisputes.ts";
import { syncSubscription } from "./syncSubscription.ts";

const receiptMs = 3 * 24 * 60 * 60 * 1000;

/** Updates an invoice's subscription, its disputes and refunds, and its referrer's earning from the provider. */
export async function syncInvoice(billing: Billing, invoiceId: string) {
  const { db, stripe, config } = billing;
  const invoice = await unlessMissing(stripe.invoices.retrieve(invoiceId));
  const subId = idOf(invoice?.parent?.subscription_details?.subscription);
  if (!invoice || !subId) return;
  await syncSubscription(billing, subId);

  await mailReceipt(db, subId, invoice);
  if (invoice.status !== "paid") return;
  const payments = await readPayments(billing, invoiceId);
  await syncDisputes(billing, subId, invoiceId, payments);
  await oweLatePayment(billing, subId, invoice, payments);
  for (const { id } of await findRefundsOf(db, invoiceId)) await enqueue(db, payRefundJob, { refundId: id }, id);

  const checkout = await findCheckoutBySubscription(db, subId);
  if (!checkout?.referrerId) return;
  const paid = invoice.amount_paid - takenFrom(payments);
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

/** Finds the invoices of a payment and queues their sync, which reads the payment's state, refunds and disputes. */
export async function syncPayment(billing: Billing, paymentIntent: string) {
  const payments = billing.stripe.invoicePayments.list({
    payment: { type: "payment_intent", payment_intent: paymentIntent },
  });
  for await (const { invoice } of payments) {
    const invoiceId = idOf(invoice);
    const found = invoiceId && (await unlessMissing(billing.stripe.invoices.retrieve(invoiceId)));
    // Queued behind the customer's other jobs. The event itself may not name the customer.
    if (found) await enqueue(billing.db, syncInvoiceJob, { invoiceId }, idOf(found.customer));
  }
}
