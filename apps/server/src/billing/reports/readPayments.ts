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

interface Invoiced {
  /** with taxes */
  paid: Payment[];
  /** the first attempt to collect them failed */
  failed: Payment[];
}

/** What these customers were charged for since a moment, and what could not be collected at once. */
export async function readInvoiced(stripe: Stripe, since: Date, customers: Set<string>): Promise<Invoiced> {
  const invoiced: Invoiced = { paid: [], failed: [] };
  const created = { gte: Math.floor(since.getTime() / 1000) - collectionSeconds };
  for await (const invoice of stripe.invoices.list({ created, limit: 100 })) {
    const { customer, status, currency, amount_due, amount_paid, attempted, attempt_count } = invoice;
    if (!customers.has(idOf(customer) ?? "")) continue;
    const at = new Date(invoice.created * 1000);
    const paidAt = new Date((invoice.status_transitions.paid_at ?? invoice.created) * 1000);
    const isPaid = status === "paid";
    if (isPaid && paidAt >= since) invoiced.paid.push({ at: paidAt, amount: amount_paid, currency });
    if (at >= since && attempted && (attempt_count > 1 || !isPaid))
      invoiced.failed.push({ at, amount: amount_due, currency });
  }
  return invoiced;
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
