import type { NextInvoice, UpcomingInvoices } from "@nido/contract";
import type { subscriptions } from "../db/schema.ts";
import { type Billing, isRefusal } from "./Billing.ts";
import { findRunning } from "./queries.ts";
import { vatOf } from "./vatOf.ts";

/** The provider is asked for each of them. */
const maxSubscriptions = 20;

export async function findAllUpcoming(billing: Billing, userId: string): Promise<UpcomingInvoices> {
  const running = await findRunning(billing.db, userId, maxSubscriptions);
  const found = await Promise.all(
    running.map(async (subscription) => [subscription.id, await findUpcoming(billing, subscription)] as const),
  );
  return Object.fromEntries(found.flatMap(([id, invoice]) => (invoice ? [[id, invoice]] : [])));
}

/** The next regular invoice of a subscription; undefined if there will be none. */
export async function findUpcoming(
  { stripe }: Billing,
  { id, cancelAtPeriodEnd, periodEnd }: typeof subscriptions.$inferSelect,
): Promise<NextInvoice | undefined> {
  if (cancelAtPeriodEnd) return undefined;
  const invoice = await stripe.invoices.createPreview({ subscription: id }).catch((error) => {
    // The provider knows that it ends, and this database will soon.
    if (isRefusal(error)) return undefined;
    throw error;
  });
  if (!invoice) return undefined;
  return { at: periodEnd.toISOString(), total: invoice.total, vat: vatOf(invoice), due: invoice.amount_due };
}
