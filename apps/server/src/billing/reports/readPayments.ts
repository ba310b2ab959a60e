import type { Stripe } from "stripe";
import { idOf } from "../idOf.ts";

/** Money that moved, in the smallest unit of its currency. */
export interface Payment {
  at: Date;
  amount: number;
  currency: string;
}

const daySeconds = 24 * 60 * 60;
/** An invoice may be paid long after it was made. */
const collectionSeconds = 92 * daySeconds;

/** What was paid for these subscriptions since a moment, with taxes. */
export async function readPaid(stripe: Stripe, since: Date, subIds: Set<string>): Promise<Payment[]> {
  const from = Math.floor(since.getTime() / 1000);
  const paid: Payment[] = [];
  const created = { gte: from - collectionSeconds };
  for await (const invoice of stripe.invoices.list({ status: "paid", created, limit: 100 })) {
    const at = invoice.status_transitions.paid_at ?? invoice.created;
    const isOurs = subIds.has(idOf(invoice.parent?.subscription_details?.subscription) ?? "");
    if (isOurs && at >= from)
      paid.push({ at: new Date(at * 1000), amount: invoice.amount_paid, currency: invoice.currency });
  }
  return paid;
}

/** What was given back to these customers since a moment. */
export async function readRefunded(stripe: Stripe, since: Date, customers: Set<string>): Promise<Payment[]> {
  const refunded: Payment[] = [];
  const created = { gte: Math.floor(since.getTime() / 1000) };
  for await (const { status, customer, amount, currency, created: at } of stripe.refunds.list({ created, limit: 100 }))
    if (status !== "failed" && status !== "canceled" && customers.has(idOf(customer) ?? ""))
      refunded.push({ at: new Date(at * 1000), amount, currency });
  return refunded;
}
