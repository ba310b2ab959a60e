import type { Books } from "./Books.ts";
import type { Objects } from "./objects.ts";
import { text } from "./parameters.ts";
import { newPayment } from "./payments.ts";
import { is, type Route, reads } from "./Route.ts";
import { now } from "./Store.ts";

type Invoice = Objects["invoice"];

export const invoiceRoutes: Route[] = [
  ...reads(
    "invoice",
    "/v1/invoices",
    { customer: text.optional(), subscription: text.optional(), status: text.optional() },
    (invoice, { customer, subscription, status }) =>
      is<unknown>(invoice.customer, customer) &&
      is<unknown>(invoice.parent?.subscription_details?.subscription, subscription) &&
      is<unknown>(invoice.status, status),
  ),
];

export function finalize(books: Books, draft: Invoice): Invoice {
  const customer = books.store.get("customer", String(draft.customer));
  const sequence = customer.next_invoice_sequence ?? 1;
  books.store.put({ ...customer, next_invoice_sequence: sequence + 1 });
  const at = now();
  const invoice = books.store.put({
    ...draft,
    status: "open",
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, "0")}`,
    effective_at: at,
    ending_balance: 0,
    hosted_invoice_url: `${books.origin}/stripe/invoice/${draft.id}`,
    invoice_pdf: `${books.origin}/stripe/invoice/${draft.id}`,
    status_transitions: { ...draft.status_transitions, finalized_at: at },
  });
  books.emit("invoice.finalized", invoice);
  return invoice;
}

/** Charges the card for an open invoice. */
export function collect(books: Books, open: Invoice): Invoice {
  const { store } = books;
  if (open.status !== "open") return open;
  const subscription = store.get("subscription", String(open.parent?.subscription_details?.subscription));
  const card = store.find("_card", subscription.default_payment_method as string | null);
  const attempt = { attempted: true, attempt_count: open.attempt_count + 1 };
  if (open.total > 0 && !card?.isGood) {
    const failed = store.put({ ...open, ...attempt, next_payment_attempt: now() + 3 * 86_400 });
    books.emit("invoice.payment_failed", failed);
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
    const payment = newPayment(books, paid, card?.id ?? null);
    books.emit("invoice_payment.paid", payment);
  }
  books.emit("invoice.paid", paid);
  books.emit("invoice.payment_succeeded", paid);
  return paid;
}
