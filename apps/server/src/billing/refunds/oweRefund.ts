import type { Stripe } from "stripe";
import { findByProviderId } from "../../account/queries.ts";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { idOf } from "../idOf.ts";
import { payRefundJob } from "../jobs.ts";
import { insertRefund } from "./queries.ts";

const maxAgeSeconds = 7 * 24 * 60 * 60;

export interface Purchase {
  subscription: Stripe.Subscription;
  session: Stripe.Checkout.Session;
  checkout: { userId: string; name: string };
  /** why it cannot be fulfilled */
  reason: string;
}

/**
 * Records that a paid purchase cannot be fulfilled, for good, and queues its refund. It belongs to whoever the provider
 * charged, or to the buyer if that customer has been replaced since.
 */
export async function oweRefund(tx: Tx, purchase: Purchase) {
  const { subscription, session, checkout, reason } = purchase;
  const payer = await findByProviderId(tx, idOf(session.customer) ?? "");
  const problem = problemOf(paidAt(purchase));
  const refundId = await insertRefund(tx, {
    userId: payer?.id ?? checkout.userId,
    subId: subscription.id,
    name: checkout.name,
    reason,
    invoiceId: idOf(session.invoice) ?? idOf(subscription.latest_invoice) ?? null,
    amount: session.amount_total ?? 0,
    currency: session.currency ?? subscription.currency,
    problem,
  });
  if (!problem) await enqueue(tx, payRefundJob, { refundId }, refundId);
}

/** An older payment may have been settled by a person, in a way that cannot be seen at the provider. */
export function problemOf(paidAtSeconds: number): string | null {
  const isOld = Date.now() / 1000 - paidAtSeconds > maxAgeSeconds;
  return isOld ? "the payment is old: check that it was not settled by hand" : null;
}

/** In seconds. A direct debit is paid days after the checkout; a later invoice says nothing about this purchase. */
function paidAt({ subscription: { latest_invoice: latest }, session }: Purchase): number {
  const isFirst = typeof latest === "object" && latest !== null && latest.id === idOf(session.invoice);
  return (isFirst && latest.status_transitions.paid_at) || session.created;
}
