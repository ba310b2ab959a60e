import type { Books } from "./Books.ts";
import { discountOf } from "./discountOf.ts";
import type { Objects } from "./objects.ts";
import { text } from "./parameters.ts";
import { newPayment } from "./payments.ts";
import { is, type Route, reads } from "./Route.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";
import { taxOf } from "./taxOf.ts";

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
  const net = subtotal - taken;
  const tax = taxOf(subscription.automatic_tax.enabled, customer, net);
  const total = net + tax;
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
    total_excluding_tax: net,
    total_pretax_credit_amounts: [],
    total_taxes: tax
      ? [
          {
            amount: tax,
            tax_behavior: "exclusive",
            tax_rate_details: null,
            taxability_reason: "standard_rated",
            taxable_amount: net,
            type: "tax_rate_details",
          },
        ]
      : [],
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
