import type { Stripe } from "stripe";
import { unlessMissing } from "../Billing.ts";
import { idOf } from "../idOf.ts";
import type { RefundRow } from "./queries.ts";

/** Gives back the credit balance that paid a part of the invoice, once. False if the provider's customer was deleted. */
export async function returnCredit(stripe: Stripe, { id }: RefundRow, invoiceId: string): Promise<boolean> {
  const invoice = await stripe.invoices.retrieve(invoiceId);
  const customer = idOf(invoice.customer);
  const credit = creditUsedBy(invoice);
  if (credit === 0 || !customer) return true;
  const known = await unlessMissing(stripe.customers.listBalanceTransactions(customer, { limit: 100 }));
  if (known?.data.some(({ metadata }) => metadata?.["refund"] === id)) return true;
  const returned = await unlessMissing(
    stripe.customers.createBalanceTransaction(
      customer,
      { amount: -credit, currency: invoice.currency, metadata: { refund: id } },
      { idempotencyKey: `refund-${id}-credit` },
    ),
  );
  return returned !== undefined;
}

/** A negative balance is a credit. */
function creditUsedBy({ starting_balance: before, ending_balance: after }: Stripe.Invoice): number {
  return Math.max(0, Math.min(after ?? before, 0) - Math.min(before, 0));
}
