import { addInterval } from "./addInterval.ts";
import { billPeriod } from "./billPeriod.ts";
import { collect, finalize } from "./invoices.ts";
import type { Objects } from "./objects.ts";
import { newId, now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { subscriptionDefaults } from "./subscriptionDefaults.ts";

/** Creates the subscription that a paid checkout ordered, with its first invoice. */
export function startSubscription(
  context: StripeContext,
  session: Objects["checkout.session"],
  order: Objects["_order"],
) {
  const { store } = context;
  const price = store.get("price", order.price);
  const id = newId("sub");
  const discount = order.coupon ? newDiscount(context, session, order, id) : undefined;
  const customer = store.get("customer", String(session.customer));
  store.put({ ...customer, currency: price.currency });

  const subscription = newSubscription(context, id, session, order, discount);
  const draft = billPeriod(context, subscription, "subscription_create", discount);
  const started = store.put({ ...subscription, latest_invoice: draft.id });
  context.emit("customer.subscription.created", started);
  const invoice = collect(context, finalize(context, draft));
  return { subscription: started, invoice };
}

function newSubscription(
  { store }: StripeContext,
  id: string,
  session: Objects["checkout.session"],
  order: Objects["_order"],
  discount: Objects["discount"] | undefined,
): Objects["subscription"] {
  const price = store.get("price", order.price);
  const created = now();
  const isDiscountForever = discount && store.find("coupon", order.coupon)?.duration === "forever";
  const card = store.put({ id: newId("pm"), object: "_card", last4: "4242", isGood: true });
  return store.put({
    ...subscriptionDefaults,
    id,
    object: "subscription",
    automatic_tax: { disabled_reason: null, enabled: session.automatic_tax.enabled, liability: null },
    billing_cycle_anchor: created,
    created,
    currency: price.currency,
    customer: String(session.customer),
    default_payment_method: card.id,
    discounts: isDiscountForever ? [discount.id] : [],
    items: {
      object: "list",
      data: [newItem(id, price, order.quantity, created)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    metadata: order.metadata,
    start_date: created,
  });
}

function newItem(
  subscription: string,
  price: Objects["price"],
  quantity: number,
  start: number,
): Objects["subscription_item"] {
  return {
    id: newId("si"),
    object: "subscription_item",
    billing_thresholds: null,
    created: start,
    current_period_end: addInterval(start, price),
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: {
      id: price.id,
      object: "plan",
      active: price.active,
      amount: price.unit_amount,
      amount_decimal: price.unit_amount_decimal,
      billing_scheme: "per_unit",
      created: price.created,
      currency: price.currency,
      interval: price.recurring?.interval ?? "month",
      interval_count: price.recurring?.interval_count ?? 1,
      livemode: false,
      metadata: price.metadata,
      meter: null,
      nickname: price.nickname,
      product: price.product,
      tiers_mode: null,
      transform_usage: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

function newDiscount(
  { store }: StripeContext,
  session: Objects["checkout.session"],
  order: Objects["_order"],
  subscription: string,
) {
  const coupon = store.get("coupon", order.coupon ?? "");
  store.put({ ...coupon, times_redeemed: coupon.times_redeemed + 1 });
  return store.put({
    id: newId("di"),
    object: "discount",
    checkout_session: session.id,
    customer: session.customer as string,
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: order.promotionCode,
    source: { coupon: coupon.id, type: "coupon" },
    start: now(),
    subscription,
    subscription_item: null,
  });
}
