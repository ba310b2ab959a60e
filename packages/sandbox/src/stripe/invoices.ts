import type { Objects } from "./objects.ts";
import { text } from "./parameters.ts";
import { newPayment } from "./payments.ts";
import { passes, type Route, readRoutes } from "./Route.ts";
import { now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";

type Invoice = Objects["invoice"];

export const invoiceRoutes: Route[] = [
  ...readRoutes(
    "invoice",
    "/v1/invoices",
    { customer: text.optional(), subscription: text.optional(), status: text.optional() },
    (invoice, { customer, subscription, status }) =>
      passes<unknown>(invoice.customer, customer) &&
      passes<unknown>(invoice.parent?.subscription_details?.subscription, subscription) &&
      passes<unknown>(invoice.status, status),
  ),
];

export function finalize(context: StripeContext, draft: Invoice): Invoice {
  const customer = context.store.get("customer", String(draft.customer));
  const sequence = customer.next_invoice_sequence ?? 1;
  context.store.put({ ...customer, next_invoice_sequence: sequence + 1 });
  const at = now();
  const invoice = context.store.put({
    ...draft,
    status: "open",
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, "0")}`,
    effective_at: at,
    ending_balance: 0,
    hosted_invoice_url: `${context.origin}/stripe/invoice/${draft.id}`,
    invoice_pdf: `${context.origin}/stripe/invoice/${draft.id}`,
    status_transitions: { ...draft.status_transitions, finalized_at: at },
  });
  context.emit("invoice.finalized", invoice);
  return invoice;
}

/** Charges the card for an open invoice. */
export function collect(context: StripeContext, open: Invoice): Invoice {
  const { store } = context;
  if (open.status !== "open") return open;
  const subscription = store.get("subscription", String(open.parent?.subscription_details?.subscription));
  const card = store.find("_card", subscription.default_payment_method as string | null);
  const attempt = { attempted: true, attempt_count: open.attempt_count + 1 };
  if (open.total > 0 && !card?.isGood) {
    const failed = store.put({ ...open, ...attempt, next_payment_attempt: now() + 3 * 86_400 });
    context.emit("invoice.payment_failed", failed);
    return failed;
  }

  const at = now();
  const paid = store.put({
    ...open,
    ...attempt,
    status: "paid",
    amount_paid: open.total,
    amount_remaining: 0,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...open.status_transitions, paid_at: at },
  });
  if (paid.total > 0) {
    const payment = newPayment(context, paid, card?.id ?? null);
    context.emit("invoice_payment.paid", payment);
  }
  context.emit("invoice.paid", paid);
  context.emit("invoice.payment_succeeded", paid);
  return paid;
}
