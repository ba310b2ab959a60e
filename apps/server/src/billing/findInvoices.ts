import { type Invoice, type InvoicePage, invoiceStates } from "@nido/contract";
import type { Stripe } from "stripe";
import { type Billing, unlessMissing } from "./Billing.ts";
import { vatOf } from "./vatOf.ts";

const pageSize = 20;

/** A customer's invoices at the provider. The list is limited to the customer, also for another's `after`. */
export async function findInvoices({ stripe }: Billing, customer: string, after?: string): Promise<InvoicePage> {
  const cursor = after === undefined ? {} : { starting_after: after };
  const [page, account] = await Promise.all([
    unlessMissing(stripe.invoices.list({ customer, limit: pageSize, ...cursor })),
    after === undefined ? unlessMissing(stripe.customers.retrieve(customer)) : undefined,
  ]);
  const last = page?.data.at(-1)?.id;
  return {
    invoices: page?.data.flatMap(present) ?? [],
    ...(page?.has_more && last !== undefined && { next: last }),
    ...(account && !account.deleted && creditOf(account)),
  };
}

/** A draft is left out: its amount may still change, and it has no number yet. */
function present(invoice: Stripe.Invoice): Invoice[] {
  const { id, number, created, total, currency } = invoice;
  const state = invoiceStates.find((name) => name === invoice.status);
  if (!state || !id) return [];
  const { hosted_invoice_url: url, invoice_pdf: pdf } = invoice;
  return [
    {
      id,
      number: number ?? id,
      created_at: new Date(created * 1000).toISOString(),
      total,
      vat: vatOf(invoice),
      currency,
      state,
      ...(url && { url }),
      ...(pdf && { pdf }),
    },
  ];
}

/** The provider counts a credit as a negative balance. */
function creditOf({ balance, currency }: Stripe.Customer): Pick<InvoicePage, "credit"> {
  return balance < 0 && currency ? { credit: { amount: -balance, currency } } : {};
}
