import type { Stripe } from "stripe";
import type { Billing } from "./Billing.ts";
import { idOf } from "./idOf.ts";

/** A payment of an invoice, with everything that was taken back from it. */
export interface Payment {
  intent: string;
  paid: number;
  /** without those that failed */
  refunds: Stripe.Refund[];
  failedRefunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
}

export type DisputeState = "open" | "won" | "lost";

/** The payments of an invoice, read from the provider. */
export async function readPayments({ stripe }: Pick<Billing, "stripe">, invoice: string): Promise<Payment[]> {
  const payments: Payment[] = [];
  for await (const { payment, amount_paid: paid } of stripe.invoicePayments.list({ invoice, status: "paid" })) {
    const intent = idOf(payment.payment_intent);
    if (!intent) continue;
    const refunds = await all(stripe.refunds.list({ payment_intent: intent, limit: 100 }));
    const hasFailed = ({ status }: Stripe.Refund) => status === "failed" || status === "canceled";
    payments.push({
      intent,
      paid: paid ?? 0,
      refunds: refunds.filter((refund) => !hasFailed(refund)),
      failedRefunds: refunds.filter(hasFailed),
      disputes: await all(stripe.disputes.list({ payment_intent: intent, limit: 100 })),
    });
  }
  return payments;
}

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** What is left of a payment to refund. */
export function leftOf({ paid, refunds }: Payment): number {
  return paid - sum(refunds);
}

/** What refunds and disputes have taken back from an invoice's payments. */
export function takenFrom(payments: Payment[]): number {
  const taken = payments.map(({ paid, refunds, disputes }) =>
    Math.min(paid, sum(refunds) + sum(disputes.filter(isAgainst))),
  );
  return taken.reduce((total, amount) => total + amount, 0);
}

function isAgainst(dispute: Stripe.Dispute): boolean {
  return stateOf(dispute) !== "won";
}

/** An inquiry that is closed has not become a dispute. One that was "prevented" has been paid back. */
export function stateOf({ status }: Stripe.Dispute): DisputeState {
  if (status === "won" || status === "warning_closed") return "won";
  return status === "lost" || status === "prevented" ? "lost" : "open";
}

export function sum(items: { amount: number }[]): number {
  return items.reduce((total, { amount }) => total + amount, 0);
}
