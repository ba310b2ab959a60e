import { discountOf } from "./discountOf.ts";
import { invoiceDefaults } from "./invoiceDefaults.ts";
import type { Objects } from "./objects.ts";
import { newId, now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";
import { taxOf } from "./taxOf.ts";

type Invoice = Objects["invoice"];
type Subscription = Objects["subscription"];
type Discount = Objects["discount"];
type Reason = "subscription_create" | "subscription_cycle";

/** In cents. */
interface Amounts {
  subtotal: number;
  discount: number;
  net: number;
  tax: number;
  total: number;
}

/** Creates the draft invoice for a subscription's current period. */
export function billPeriod(
  context: StripeContext,
  subscription: Subscription,
  reason: Reason,
  discount: Discount | undefined,
): Invoice {
  const { store } = context;
  const [item] = subscription.items.data;
  if (!item) throw new StripeFault(400, "This subscription has no items.");
  const customer = store.get("customer", String(subscription.customer));
  const amounts = amountsOf(context, subscription, item, customer, discount);
  const created = now();
  const id = newId("in");
  const line = newLine(context, id, subscription, item, amounts, discount);

  const invoice: Invoice = store.put({
    ...invoiceDefaults,
    ...customerFields(context, customer),
    ...amountFields(amounts, discount),
    id,
    object: "invoice",
    automatic_tax: {
      disabled_reason: null,
      enabled: subscription.automatic_tax.enabled,
      liability: null,
      provider: null,
      status: subscription.automatic_tax.enabled ? "complete" : null,
    },
    billing_reason: reason,
    created,
    currency: subscription.currency,
    lines: { object: "list", data: [line], has_more: false, url: `/v1/invoices/${id}/lines` },
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    period_end: created,
    period_start: reason === "subscription_create" ? created : (item.current_period_start ?? created),
    webhooks_delivered_at: created,
  });
  context.emit("invoice.created", invoice);
  return invoice;
}

function amountsOf(
  { store }: StripeContext,
  subscription: Subscription,
  item: Objects["subscription_item"],
  customer: Objects["customer"],
  discount: Discount | undefined,
): Amounts {
  const subtotal = (item.price.unit_amount ?? 0) * (item.quantity ?? 1);
  const coupon = discount && store.find("coupon", String(discount.source.coupon));
  const deducted = coupon ? discountOf(coupon, subtotal) : 0;
  const net = subtotal - deducted;
  const tax = taxOf(subscription.automatic_tax.enabled, customer, net);
  return { subtotal, discount: deducted, net, tax, total: net + tax };
}

function customerFields({ store }: StripeContext, customer: Objects["customer"]) {
  return {
    customer: customer.id,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_tax_ids: store
      .all("tax_id")
      .filter((taxId) => taxId.customer === customer.id)
      .map(({ type, value }) => ({ type, value })),
  } satisfies Partial<Invoice>;
}

function amountFields({ subtotal, discount: deducted, net, tax, total }: Amounts, discount: Discount | undefined) {
  return {
    amount_due: total,
    amount_remaining: total,
    discounts: discount ? [discount.id] : [],
    subtotal,
    subtotal_excluding_tax: subtotal,
    total,
    total_discount_amounts: discount ? [{ amount: deducted, discount: discount.id }] : [],
    total_excluding_tax: net,
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
  } satisfies Partial<Invoice>;
}

function newLine(
  { store }: StripeContext,
  invoice: string,
  subscription: Subscription,
  item: Objects["subscription_item"],
  { subtotal, discount: deducted }: Amounts,
  discount: Discount | undefined,
): Objects["line_item"] {
  return {
    id: newId("il"),
    object: "line_item",
    amount: subtotal,
    currency: subscription.currency,
    description: `${item.quantity} × ${store.find("product", String(item.price.product))?.name}`,
    discount_amounts: discount ? [{ amount: deducted, discount: discount.id }] : [],
    discountable: true,
    discounts: discount ? [discount.id] : [],
    invoice,
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
    period: { start: item.current_period_start, end: item.current_period_end },
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
}
