import { createHash } from "node:crypto";
import { cardDefaults, chargeDefaults, debitDefaults } from "./chargeDefaults.ts";
import { intentDefaults } from "./intentDefaults.ts";
import type { Objects } from "./objects.ts";
import { paymentsOf } from "./payments.ts";
import { newId, now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";

type Invoice = Objects["invoice"];
type Intent = Objects["payment_intent"];
type Card = Objects["_card"];

/** Adds the payment to an invoice that is due. All attempts to pay it share the payment and its intent. */
export function openPayment(context: StripeContext, invoice: Invoice) {
  const intent = context.store.put({
    ...intentDefaults,
    id: newId("pi"),
    object: "payment_intent",
    amount: invoice.amount_due,
    created: now(),
    currency: invoice.currency,
    customer: invoice.customer as string,
  });
  context.store.put({
    id: newId("inpay"),
    object: "invoice_payment",
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: intent.created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: "payment_intent" },
    status: "open",
    status_transitions: { canceled_at: null, paid_at: null },
  });
}

/** The intent of an invoice's payment. One that costs nothing has none. */
export function intentOf(context: StripeContext, invoiceId: string): Intent | undefined {
  const [payment] = paymentsOf(context, invoiceId);
  return context.store.find("payment_intent", payment?.payment.payment_intent as string | undefined);
}

export function setIntent(context: StripeContext, invoice: Invoice, status: Intent["status"], card: Card | undefined) {
  const intent = intentOf(context, invoice.id);
  if (!intent) return;
  const next_action = status === "requires_action" ? ({ type: "use_stripe_sdk", use_stripe_sdk: {} } as const) : null;
  const last_payment_error = status === "requires_payment_method" ? declined : null;
  const changed = context.store.put({
    ...intent,
    status,
    next_action,
    last_payment_error,
    payment_method: card?.id ?? null,
  });
  if (status === "processing") context.emit("payment_intent.processing", changed);
}

const declined = { type: "card_error", code: "card_declined", message: "The payment was declined." } as const;

/** Completes the payment of an open invoice: the money has arrived. */
export function settle(context: StripeContext, open: Invoice, card: Card | undefined): Invoice {
  const { store } = context;
  const at = now();
  const paid = store.put({
    ...open,
    status: "paid",
    amount_paid: open.amount_due,
    amount_remaining: 0,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...open.status_transitions, paid_at: at },
  });
  const [payment] = paymentsOf(context, paid.id);
  const intent = intentOf(context, paid.id);
  if (payment && intent) {
    setIntent(context, paid, "succeeded", card);
    putCharge(context, paid, card, intent.id, at);
    const status_transitions = { canceled_at: null, paid_at: at };
    const settled = store.put({ ...payment, amount_paid: paid.amount_due, status: "paid", status_transitions });
    context.emit("invoice_payment.paid", settled);
  }
  context.emit("invoice.paid", paid);
  context.emit("invoice.payment_succeeded", paid);
  return paid;
}

function putCharge({ store }: StripeContext, invoice: Invoice, card: Card | undefined, intent: string, at: number) {
  store.put({
    ...chargeDefaults,
    id: newId("ch"),
    object: "charge",
    amount: invoice.amount_due,
    amount_captured: invoice.amount_due,
    billing_details: {
      address: invoice.customer_address,
      email: invoice.customer_email,
      name: invoice.customer_name,
      phone: invoice.customer_phone,
      tax_id: null,
    },
    created: at,
    currency: invoice.currency,
    customer: invoice.customer as string,
    payment_intent: intent,
    payment_method: card?.id ?? null,
    payment_method_details: detailsOf(invoice, card),
  });
}

/**
 * Each customer pays with a card of their own. An address like ana+2@example.com counts as a second account of
 * ana@example.com and pays with the same card, so that self-referral can be tried out.
 */
function detailsOf({ customer_email: email }: Invoice, card: Card | undefined) {
  const owner = (email ?? "").toLowerCase().replace(/\+[^@]*@/, "@");
  const fingerprint = createHash("sha256").update(owner).digest("base64url").slice(0, 16);
  const last4 = card?.last4 ?? "4242";
  if (card?.isDebit)
    return {
      type: "sepa_debit",
      sepa_debit: { ...debitDefaults, fingerprint, last4, mandate: null, transaction_id: null },
    };
  return { type: "card", card: { ...cardDefaults, fingerprint, last4 } };
}
