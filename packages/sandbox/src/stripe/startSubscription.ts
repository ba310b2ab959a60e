import { addInterval, addMonths } from "./addInterval.ts";
import { billPeriod } from "./billPeriod.ts";
import { collect, finalize } from "./invoices.ts";
import type { Objects } from "./objects.ts";
import { newId, now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { subscriptionDefaults } from "./subscriptionDefaults.ts";

/** What the customer chose on the payment page. */
export type Method = "card" | "confirmedCard" | "debit";

/** Creates the subscription that a paid checkout ordered, with its first invoice. */
export function startSubscription(
  context: StripeContext,
  session: Objects["checkout.session"],
  order: Objects["_order"],
  method: Method,
) {
  const { store } = context;
  const price = store.get("price", order.price);
  const id = newId("sub");
  const discount = order.coupon ? newDiscount(context, session, order, id) : undefined;
  const customer = store.get("customer", String(session.customer));
  store.put({ ...customer, currency: price.currency });

  const subscription = newSubscription(context, id, session, order, discount, method);
  const draft = billPeriod(context, subscription, "subscription_create", order.trial ? undefined : discount);
  const started = store.put({ ...subscription, latest_invoice: draft.id });
  context.emit("customer.subscription.created", started);
  const invoice = collect(context, finalize(context, draft));
  remember(context, started, method);
  return { subscription: started, invoice };
}

/** A card that was confirmed for the first payment asks again for the next one. */
function remember({ store }: StripeContext, { default_payment_method: id }: Objects["subscription"], method: Method) {
  const card = store.find("_card", id as string | null);
  if (card && method === "confirmedCard") store.put({ ...card, asks: true, last4: "3184" });
}

function newSubscription(
  { store }: StripeContext,
  id: string,
  session: Objects["checkout.session"],
  order: Objects["_order"],
  discount: Objects["discount"] | undefined,
  method: Method,
): Objects["subscription"] {
  const price = store.get("price", order.price);
  const created = now();
  // A discount for one payment is used up by the first invoice that is due.
  const isDiscountUsed = !order.trial && store.find("coupon", order.coupon)?.duration === "once";
  const trialEnd = order.trial ? created + order.trial.days * 86_400 : null;
  const isDebit = method === "debit";
  const card = store.put({ id: newId("pm"), object: "_card", last4: isDebit ? "3000" : "4242", isGood: true, isDebit });
  return store.put({
    ...subscriptionDefaults,
    id,
    object: "subscription",
    automatic_tax: { disabled_reason: null, enabled: session.automatic_tax.enabled, liability: null },
    billing_cycle_anchor: trialEnd ?? created,
    created,
    currency: price.currency,
    customer: String(session.customer),
    default_payment_method: card.id,
    discounts: discount && !isDiscountUsed ? [discount.id] : [],
    items: {
      object: "list",
      data: [newItem(id, price, order.quantity, created, trialEnd)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    metadata: order.metadata,
    start_date: created,
    // Until the first payment has arrived.
    ...(isDebit && session.amount_total !== 0 && { status: "incomplete" as const }),
    ...(order.trial && {
      status: "trialing",
      trial_start: created,
      trial_end: trialEnd,
      trial_settings: order.trial.settings,
    }),
  });
}

function newItem(
  subscription: string,
  price: Objects["price"],
  quantity: number,
  start: number,
  trialEnd: number | null,
): Objects["subscription_item"] {
  return {
    id: newId("si"),
    object: "subscription_item",
    billing_thresholds: null,
    created: start,
    current_period_end: trialEnd ?? addInterval(start, price),
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
  const code = store.find("promotion_code", order.promotionCode);
  if (code) store.put({ ...code, times_redeemed: code.times_redeemed + 1 });
  return store.put({
    id: newId("di"),
    object: "discount",
    checkout_session: session.id,
    customer: session.customer as string,
    customer_account: null,
    end: coupon.duration === "repeating" ? addMonths(now(), coupon.duration_in_months ?? 1) : null,
    invoice: null,
    invoice_item: null,
    promotion_code: order.promotionCode,
    source: { coupon: coupon.id, type: "coupon" },
    start: now(),
    subscription,
    subscription_item: null,
  });
}
