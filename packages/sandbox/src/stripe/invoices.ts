import { z } from "zod";
import type { Books } from "./Books.ts";
import { discountOf } from "./discountOf.ts";
import type { Objects } from "./objects.ts";
import { integer, mergeMetadata, metadata, takes, text } from "./parameters.ts";
import { is, type Route, reads, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

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
  ...reads(
    "invoice_payment",
    "/v1/invoice_payments",
    {
      invoice: text.optional(),
      status: text.optional(),
      payment: z.strictObject({ type: z.literal("payment_intent"), payment_intent: text }).optional(),
    },
    (object, { invoice, status, payment }) =>
      is<unknown>(object.invoice, invoice) &&
      is(object.status, status) &&
      is<unknown>(object.payment.payment_intent, payment?.payment_intent),
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
    (books, { charge: chargeId, payment_intent: intent, amount, reason, metadata: given }) => {
      const charge = books.store
        .all("charge")
        .find((one) => one.id === chargeId || (intent && one.payment_intent === intent));
      if (!charge) throw new StripeFault(404, "No such charge", { code: "resource_missing", param: "charge" });
      return refund(books, charge, amount, reason ?? null, given);
    },
  ),
  ...reads(
    "refund",
    "/v1/refunds",
    { charge: text.optional(), payment_intent: text.optional() },
    (object, { charge, payment_intent: intent }) =>
      is<unknown>(object.charge, charge) && is<unknown>(object.payment_intent, intent),
  ),
];

/** The draft of an invoice for a subscription's current period. */
export function billPeriod(
  books: Books,
  subscription: Objects["subscription"],
  reason: "subscription_create" | "subscription_cycle",
  discount: Objects["discount"] | undefined,
): Invoice {
  const { store } = books;
  const [item] = subscription.items.data;
  if (!item) throw new StripeFault(400, "This subscription has no items.");
  const customer = store.get("customer", String(subscription.customer));
  const subtotal = (item.price.unit_amount ?? 0) * (item.quantity ?? 1);
  const coupon = discount && store.find("coupon", String(discount.source.coupon));
  const taken = coupon ? discountOf(coupon, subtotal) : 0;
  const discountAmounts = discount ? [{ amount: taken, discount: discount.id }] : [];
  const total = subtotal - taken;
  const created = now();
  const id = newId("in");
  const period = { start: item.current_period_start, end: item.current_period_end };

  const line: Objects["line_item"] = {
    id: newId("il"),
    object: "line_item",
    amount: subtotal,
    currency: subscription.currency,
    description: `${item.quantity} × ${store.find("product", String(item.price.product))?.name}`,
    discount_amounts: discountAmounts,
    discountable: true,
    discounts: discount ? [discount.id] : [],
    invoice: id,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: "subscription_item_details",
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: String(item.price.product) },
      type: "price_details",
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: item.quantity ?? 1,
    quantity_decimal: String(item.quantity ?? 1),
    subscription: subscription.id,
    subtotal,
    taxes: [],
  };
  const invoice: Invoice = store.put({
    id,
    object: "invoice",
    account_country: "ES",
    account_name: "Sandbox",
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: subscription.automatic_tax.enabled,
      liability: null,
      provider: null,
      status: subscription.automatic_tax.enabled ? "complete" : null,
    },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: "charge_automatically",
    created,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: "none",
    customer_tax_ids: store
      .all("tax_id")
      .filter((taxId) => taxId.customer === customer.id)
      .map(({ type, value }) => ({ type, value })),
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: discount ? [discount.id] : [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: "self" },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: "list", data: [line], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: created,
    period_start: reason === "subscription_create" ? created : (period.start ?? created),
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: "draft",
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: null,
    total,
    total_discount_amounts: discountAmounts,
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: created,
  });
  books.emit("invoice.created", invoice);
  return invoice;
}

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

export function paymentsOf({ store }: Books, invoiceId: string) {
  return store.all("invoice_payment").filter(({ invoice }) => invoice === invoiceId);
}

function newPayment({ store }: Books, invoice: Invoice, card: string | null) {
  const at = now();
  const intent = newId("pi");
  store.put({
    id: newId("ch"),
    object: "charge",
    amount: invoice.total,
    amount_captured: invoice.total,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: {
      address: invoice.customer_address,
      email: invoice.customer_email,
      name: invoice.customer_name,
      phone: invoice.customer_phone,
      tax_id: null,
    },
    calculated_statement_descriptor: "SANDBOX",
    captured: true,
    created: at,
    currency: invoice.currency,
    customer: invoice.customer as string,
    description: "Subscription",
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: intent,
    payment_method: card,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "succeeded",
    transfer_data: null,
    transfer_group: null,
  });
  return store.put({
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

export function refund(
  books: Books,
  charge: Objects["charge"],
  asked?: number,
  reason: Objects["refund"]["reason"] = null,
  given: Record<string, string> = {},
) {
  const left = charge.amount - charge.amount_refunded;
  const amount = asked ?? left;
  if (left === 0)
    throw new StripeFault(400, `Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  if (amount <= 0 || amount > left)
    throw new StripeFault(400, `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: "amount",
    });

  const refunded = books.store.put({
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  });
  const made = books.store.put({
    id: newId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: mergeMetadata({}, given),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  });
  books.emit("charge.refunded", refunded, { amount_refunded: charge.amount_refunded });
  return made;
}
