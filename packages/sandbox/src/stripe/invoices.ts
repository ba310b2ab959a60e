import { balanceAfter } from "./draftInvoice.ts";
import type { Objects } from "./objects.ts";
import { since, takes, text } from "./parameters.ts";
import { openPayment, setIntent, settle } from "./payInvoice.ts";
import { isWithin, passes, type Route, readRoutes, route } from "./Route.ts";
import { now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

type Invoice = Objects["invoice"];

export const invoiceRoutes: Route[] = [
  route("POST", "/v1/invoices/:id/void", takes({}), (context, _params, id) => {
    const invoice = context.store.get("invoice", id);
    if (invoice.status !== "open" && invoice.status !== "uncollectible")
      throw new StripeFault(400, `You can only void an open or uncollectible invoice. This one is ${invoice.status}.`);
    return voidInvoice(context, invoice);
  }),
  ...readRoutes(
    "invoice",
    "/v1/invoices",
    { customer: text.optional(), subscription: text.optional(), status: text.optional(), created: since.optional() },
    (invoice, { customer, subscription, status, created }) =>
      passes<unknown>(invoice.customer, customer) &&
      passes<unknown>(invoice.parent?.subscription_details?.subscription, subscription) &&
      passes<unknown>(invoice.status, status) &&
      isWithin(invoice.created, created),
  ),
];

/** What it used of the customer's credit is given back. */
export function voidInvoice(context: StripeContext, invoice: Invoice): Invoice {
  const customer = context.store.get("customer", String(invoice.customer));
  const used = (invoice.ending_balance ?? 0) - invoice.starting_balance;
  if (used !== 0) context.store.put({ ...customer, balance: customer.balance - used });
  setIntent(context, invoice, "canceled", undefined);
  const status_transitions = { ...invoice.status_transitions, voided_at: now() };
  const voided = context.store.put({ ...invoice, status: "void", amount_remaining: 0, status_transitions });
  context.emit("invoice.voided", voided);
  const subscription = context.store.find("subscription", String(invoice.parent?.subscription_details?.subscription));
  // A change of the plan that waited for this payment is dropped.
  if (subscription?.pending_update && subscription.latest_invoice === invoice.id)
    context.store.put({ ...subscription, pending_update: null });
  return voided;
}

export function finalize(context: StripeContext, draft: Invoice): Invoice {
  const customer = context.store.get("customer", String(draft.customer));
  const sequence = customer.next_invoice_sequence ?? 1;
  const balance = balanceAfter(customer, draft.total);
  context.store.put({ ...customer, next_invoice_sequence: sequence + 1, balance: balance.ending_balance });
  const at = now();
  const invoice = context.store.put({
    ...draft,
    ...balance,
    status: "open",
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, "0")}`,
    effective_at: at,
    hosted_invoice_url: `${context.origin}/stripe/invoice/${draft.id}`,
    invoice_pdf: `${context.origin}/stripe/invoice/${draft.id}`,
    status_transitions: { ...draft.status_transitions, finalized_at: at },
  });
  if (invoice.amount_due > 0) openPayment(context, invoice);
  context.emit("invoice.finalized", invoice);
  return invoice;
}

/** Charges the card for an open invoice. */
export function collect(context: StripeContext, open: Invoice): Invoice {
  const { store } = context;
  if (open.status !== "open") return open;
  const subscription = store.get("subscription", String(open.parent?.subscription_details?.subscription));
  const card = store.find("_card", subscription.default_payment_method as string | null);
  const attempted = store.put({ ...open, attempted: true, attempt_count: open.attempt_count + 1 });
  if (open.amount_due === 0) return settle(context, attempted, undefined);
  if (!card?.isGood) return fail(context, attempted, "requires_payment_method", card);
  if (card.asks) {
    context.emit("invoice.payment_action_required", attempted);
    return fail(context, attempted, "requires_action", card);
  }
  if (!card.isDebit) return settle(context, attempted, card);
  setIntent(context, attempted, "processing", card);
  return attempted;
}

export function fail(
  context: StripeContext,
  invoice: Invoice,
  status: "requires_payment_method" | "requires_action",
  card: Objects["_card"] | undefined,
): Invoice {
  setIntent(context, invoice, status, card);
  const failed = context.store.put({ ...invoice, next_payment_attempt: now() + 3 * 86_400 });
  context.emit("invoice.payment_failed", failed);
  return failed;
}
