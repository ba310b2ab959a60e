import { addInterval } from "./addInterval.ts";
import type { Books } from "./Books.ts";
import { billPeriod, collect, finalize } from "./invoices.ts";
import type { Objects } from "./objects.ts";
import { newId, now } from "./Store.ts";

/** Makes what a paid checkout promised, with its first invoice. */
export function startSubscription(books: Books, session: Objects["checkout.session"], order: Objects["_order"]) {
  const { store } = books;
  const price = store.get("price", order.price);
  const created = now();
  const id = newId("sub");
  const customer = String(session.customer);
  const discount = order.coupon ? newDiscount(books, session, order, id) : undefined;
  const isLasting = discount && store.find("coupon", order.coupon)?.duration === "forever";
  const card = store.put({ id: newId("pm"), object: "_card", last4: "4242", isGood: true });
  store.put({ ...store.get("customer", customer), currency: price.currency });

  const subscription: Objects["subscription"] = store.put({
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: session.automatic_tax.enabled, liability: null },
    billing_cycle_anchor: created,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: "charge_automatically",
    created,
    currency: price.currency,
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: card.id,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: isLasting ? [discount.id] : [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: {
      object: "list",
      data: [newItem(id, price, order.quantity, created)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: order.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: "off" },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status: "active",
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: "create_invoice" } },
    trial_start: null,
  });

  const draft = billPeriod(books, subscription, "subscription_create", discount);
  const started = store.put({ ...subscription, latest_invoice: draft.id });
  books.emit("customer.subscription.created", started);
  const invoice = collect(books, finalize(books, draft));
  return { subscription: started, invoice };
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
  { store }: Books,
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
