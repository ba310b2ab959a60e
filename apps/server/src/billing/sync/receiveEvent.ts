import type { Stripe } from "stripe";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { idOf } from "../idOf.ts";
import { syncCheckoutJob, syncInvoiceJob, syncRefundJob, syncSubscriptionJob } from "../jobs.ts";
import { claimEvent } from "../queries.ts";

/** What we listen to. An event says only where to look: what is true is read from the provider, by the job. */
export const eventTypes = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "invoice.paid",
  "invoice.payment_failed",
  "charge.refunded",
  "refund.failed",
] as const;

/** Takes an event once: claimed, and its job enqueued, together or not at all. */
export async function receiveEvent(tx: Tx, event: Stripe.Event) {
  if (!eventTypes.some((type) => type === event.type)) return;
  if (await claimEvent(tx, event.id, event.type)) await enqueueFor(tx, event);
}

async function enqueueFor(tx: Tx, event: Stripe.Event) {
  const object = event.data.object as { id: string; customer?: unknown; payment_intent?: unknown };
  // One customer's jobs run one after the other: what one has read must not undo what another has seen later.
  const order = idOf(object.customer);
  if (event.type.startsWith("checkout.")) return enqueue(tx, syncCheckoutJob, { sessionId: object.id }, order);
  if (event.type.startsWith("customer.")) return enqueue(tx, syncSubscriptionJob, { subId: object.id }, order);
  if (event.type.startsWith("invoice.")) return enqueue(tx, syncInvoiceJob, { invoiceId: object.id }, order);
  const paymentIntent = idOf(object.payment_intent);
  if (paymentIntent) await enqueue(tx, syncRefundJob, { paymentIntent }, order);
}
