import { createHash } from "node:crypto";
import { z } from "zod";
import { cardDefaults, chargeDefaults } from "./chargeDefaults.ts";
import type { Objects } from "./objects.ts";
import { integer, mergeMetadata, metadata, takes, text } from "./parameters.ts";
import { passes, type Route, readRoutes, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

export const paymentRoutes: Route[] = [
  ...readRoutes(
    "invoice_payment",
    "/v1/invoice_payments",
    {
      invoice: text.optional(),
      status: text.optional(),
      payment: z.strictObject({ type: z.literal("payment_intent"), payment_intent: text }).optional(),
    },
    (object, { invoice, status, payment }) =>
      passes<unknown>(object.invoice, invoice) &&
      passes(object.status, status) &&
      passes<unknown>(object.payment.payment_intent, payment?.payment_intent),
  ),
  route(
    "POST",
    "/v1/refunds",
    takes({
      charge: text.optional(),
      payment_intent: text.optional(),
      amount: integer.optional(),
      reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
      metadata: metadata.optional(),
    }),
    (context, { charge: chargeId, payment_intent: intent, amount, reason, metadata: refundMetadata }) => {
      const charge = context.store
        .all("charge")
        .find((one) => one.id === chargeId || (intent && one.payment_intent === intent));
      if (!charge) throw new StripeFault(404, "No such charge", { code: "resource_missing", param: "charge" });
      return refund(context, charge, amount, reason ?? null, refundMetadata);
    },
  ),
  ...readRoutes("charge", "/v1/charges", { customer: text.optional() }, (object, { customer }) =>
    passes<unknown>(object.customer, customer),
  ),
  ...readRoutes(
    "refund",
    "/v1/refunds",
    { charge: text.optional(), payment_intent: text.optional() },
    (object, { charge, payment_intent: intent }) =>
      passes<unknown>(object.charge, charge) && passes<unknown>(object.payment_intent, intent),
  ),
];

export function paymentsOf({ store }: StripeContext, invoiceId: string) {
  return store.all("invoice_payment").filter(({ invoice }) => invoice === invoiceId);
}

/** Records that the card was charged for an invoice. */
export function newPayment(context: StripeContext, invoice: Objects["invoice"], card: string | null) {
  const at = now();
  const intent = newId("pi");
  putCharge(context, invoice, card, intent, at);
  return context.store.put({
    id: newId("inpay"),
    object: "invoice_payment",
    amount_paid: invoice.total,
    amount_requested: invoice.total,
    created: at,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent, type: "payment_intent" },
    status: "paid",
    status_transitions: { canceled_at: null, paid_at: at },
  });
}

function putCharge(
  { store }: StripeContext,
  invoice: Objects["invoice"],
  card: string | null,
  intent: string,
  at: number,
) {
  store.put({
    ...chargeDefaults,
    id: newId("ch"),
    object: "charge",
    amount: invoice.total,
    amount_captured: invoice.total,
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
    payment_method: card,
    payment_method_details: { type: "card", card: cardDetails(store, invoice, card) },
  });
}

/**
 * Each customer pays with a card of their own. An address like ana+2@example.com counts as a second account of
 * ana@example.com and pays with the same card, so that self-referral can be tried out.
 */
function cardDetails(
  store: StripeContext["store"],
  { customer_email: email }: Objects["invoice"],
  card: string | null,
) {
  const owner = (email ?? "").toLowerCase().replace(/\+[^@]*@/, "@");
  const fingerprint = createHash("sha256").update(owner).digest("base64url").slice(0, 16);
  return { ...cardDefaults, fingerprint, last4: store.find("_card", card)?.last4 ?? "4242" };
}

export function refund(
  context: StripeContext,
  charge: Objects["charge"],
  requestedAmount?: number,
  reason: Objects["refund"]["reason"] = null,
  refundMetadata: Record<string, string> = {},
) {
  const left = charge.amount - charge.amount_refunded;
  const amount = requestedAmount ?? left;
  if (left === 0)
    throw new StripeFault(400, `Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  if (amount <= 0 || amount > left)
    throw new StripeFault(400, `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: "amount",
    });

  const refunded = context.store.put({
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  });
  const created = context.store.put({
    id: newId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: mergeMetadata({}, refundMetadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  });
  context.emit("charge.refunded", refunded, { amount_refunded: charge.amount_refunded });
  return created;
}
