import { discountOf } from "./discountOf.ts";
import { invoiceDefaults } from "./invoiceDefaults.ts";
import type { Objects } from "./objects.ts";
import { appliesTo } from "./redemption.ts";
import { newId, now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { taxOf } from "./taxOf.ts";

type Invoice = Objects["invoice"];
type Subscription = Objects["subscription"];
type Discount = Objects["discount"];

/** What a line of an invoice charges for, or credits. */
export interface Charge {
  item: Objects["subscription_item"];
  amount: number;
  description: string;
  period: { start: number; end: number };
  /** the part of a period for which a price was changed */
  isProration: boolean;
}

interface Options {
  reason: "subscription_create" | "subscription_cycle" | "subscription_update" | "upcoming";
  charges: Charge[];
  discount: Discount | undefined;
}

/** In cents. */
interface Amounts {
  subtotal: number;
  discount: number;
  net: number;
  tax: number;
  total: number;
}

/** An invoice that is neither stored nor finalized: a preview, or what becomes a draft. */
export function draftInvoice(
  context: StripeContext,
  subscription: Subscription,
  { reason, charges, discount }: Options,
): Invoice {
  const customer = context.store.get("customer", String(subscription.customer));
  const lines = charges.map((charge) => ({ charge, deducted: deductionOf(context, charge, discount) }));
  const amounts = sum(lines, (net) => taxOf(subscription.automatic_tax.enabled, customer, net));
  const created = now();
  const id = newId(reason === "upcoming" ? "upcoming_in" : "in");
  const [first] = charges;
  return {
    ...invoiceDefaults,
    ...customerFields(context, customer),
    ...amountFields(amounts, discount),
    ...balanceAfter(customer, amounts.total),
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
    lines: {
      object: "list",
      data: lines.map((line) => newLine(id, subscription, line, discount)),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    period_end: created,
    period_start: reason === "subscription_cycle" ? (first?.period.start ?? created) : created,
    webhooks_delivered_at: created,
  };
}

/** A credit was reduced by the discount of the payment that it gives back. */
function deductionOf({ store }: StripeContext, { amount, isProration, item }: Charge, discount: Discount | undefined) {
  const coupon = discount && store.find("coupon", String(discount.source.coupon));
  if (
    !coupon ||
    amount <= 0 ||
    !appliesTo(store, coupon.id, String(item.price.product)) ||
    (isProration && coupon.percent_off === null)
  )
    return 0;
  return discountOf(coupon, amount);
}

function sum(lines: { charge: Charge; deducted: number }[], taxOn: (net: number) => number): Amounts {
  const subtotal = lines.reduce((total, { charge }) => total + charge.amount, 0);
  const deducted = lines.reduce((total, line) => total + line.deducted, 0);
  const net = subtotal - deducted;
  const tax = taxOn(net);
  return { subtotal, discount: deducted, net, tax, total: net + tax };
}

/** The customer's credit, a negative balance, pays first. A negative invoice adds to it. */
export function balanceAfter({ balance }: Objects["customer"], total: number) {
  const due = Math.max(0, total + Math.min(0, balance));
  return {
    amount_due: due,
    amount_remaining: due,
    starting_balance: balance,
    ending_balance: Math.min(0, balance + total),
  } satisfies Partial<Invoice>;
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
  invoice: string,
  subscription: Subscription,
  { charge, deducted }: { charge: Charge; deducted: number },
  discount: Discount | undefined,
): Objects["line_item"] {
  const { item, amount, description, period, isProration } = charge;
  return {
    id: newId("il"),
    object: "line_item",
    amount,
    currency: subscription.currency,
    description,
    discount_amounts: discount ? [{ amount: deducted, discount: discount.id }] : [],
    discountable: !isProration,
    discounts: discount ? [discount.id] : [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: isProration,
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
    subtotal: amount,
    taxes: [],
  };
}
