import type { Stripe } from "stripe";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { idOf } from "../idOf.ts";
import { syncCheckoutJob, syncInvoiceJob, syncPaymentJob, syncSubscriptionJob, syncTaxStatusJob } from "../jobs.ts";
import { claimEvent } from "../queries.ts";

/** The event types we process. An event only names the object that changed; its job reads that from the provider. */
export const eventTypes = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.tax_id.created",
  "customer.tax_id.updated",
  "customer.tax_id.deleted",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "payment_intent.processing",
  "charge.refunded",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
] as const;

/** Processes an event once: it records the event's id and enqueues its job in one transaction. */
export async function receiveEvent(tx: Tx, event: Stripe.Event) {
  if (!eventTypes.some((type) => type === event.type)) return;
  if (await claimEvent(tx, event.id, event.type)) await enqueueFor(tx, event);
}

async function enqueueFor(tx: Tx, event: Stripe.Event) {
  const object = event.data.object as { id: string; customer?: unknown; payment_intent?: unknown };
  // Jobs of one customer run one after the other: older data read by one job must not overwrite a newer result.
  const customer = idOf(object.customer);
  if (event.type.startsWith("checkout.")) return enqueue(tx, syncCheckoutJob, { sessionId: object.id }, customer);
  if (event.type.startsWith("customer.tax_id."))
    return customer && enqueue(tx, syncTaxStatusJob, { customer, taxId: object.id }, customer);
  if (event.type.startsWith("customer.")) return enqueue(tx, syncSubscriptionJob, { subId: object.id }, customer);
  if (event.type.startsWith("invoice.")) return enqueue(tx, syncInvoiceJob, { invoiceId: object.id }, customer);
  const paymentIntent = event.type.startsWith("payment_intent.") ? object.id : idOf(object.payment_intent);
  if (paymentIntent) await enqueue(tx, syncPaymentJob, { paymentIntent }, customer);
}
