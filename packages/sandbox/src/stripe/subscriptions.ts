import { z } from "zod";
import type { Books } from "./Books.ts";
import { billPeriod, collect, finalize } from "./invoices.ts";
import type { Objects } from "./objects.ts";
import { flag, mergeMetadata, metadata, takes, text } from "./parameters.ts";
import { is, type Route, reads, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

type Subscription = Objects["subscription"];

export const subscriptionRoutes: Route[] = [
  route(
    "POST",
    "/v1/subscriptions/:id",
    takes({ cancel_at_period_end: flag.optional(), metadata: metadata.optional() }),
    (books, params, id) => {
      const old = books.store.get("subscription", id);
      if (old.status === "canceled")
        throw new StripeFault(400, "A canceled subscription can only update its cancellation_details and metadata.");
      const changed = { ...old, metadata: mergeMetadata(old.metadata, params.metadata) };
      const ends = params.cancel_at_period_end ?? old.cancel_at_period_end;
      return endLater(books, changed, ends ? { isByDate: false } : undefined);
    },
  ),
  route(
    "DELETE",
    "/v1/subscriptions/:id",
    takes({ prorate: flag.optional(), invoice_now: flag.optional() }),
    (books, _params, id) => {
      const subscription = books.store.get("subscription", id);
      // The service forgets, for this call, that it ever knew a subscription that has ended.
      if (subscription.status === "canceled")
        throw new StripeFault(404, `No such subscription: '${id}'`, { code: "resource_missing", param: "id" });
      return cancel(books, subscription, "cancellation_requested");
    },
  ),
  ...reads(
    "subscription",
    "/v1/subscriptions",
    {
      customer: text.optional(),
      price: text.optional(),
      status: z.enum(["all", "active", "past_due", "unpaid", "canceled", "incomplete", "trialing", "ended"]).optional(),
    },
    (subscription, { customer, price, status }) =>
      is<unknown>(subscription.customer, customer) &&
      is(subscription.items.data[0]?.price.id, price) &&
      (status === undefined ? subscription.status !== "canceled" : status === "all" || subscription.status === status),
  ),
];

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

  const subscription: Subscription = store.put({
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

/** The period is over: the next one is billed, or the subscription ends where that was wanted. */
export function endPeriod(books: Books, id: string) {
  const old = books.store.get("subscription", id);
  const [item] = old.items.data;
  if (!item || old.status === "canceled") throw new StripeFault(400, "This subscription has ended.");
  if (old.cancel_at !== null) return cancel(books, old, "cancellation_requested");

  const start = item.current_period_end;
  const next = { ...item, current_period_start: start, current_period_end: addInterval(start, item.price) };
  const renewed = books.store.put({ ...old, items: { ...old.items, data: [next] } });
  const discount = books.store.find("discount", renewed.discounts[0] as string | undefined);
  const invoice = billPeriod(books, renewed, "subscription_cycle", discount);
  books.emit("customer.subscription.updated", books.store.put({ ...renewed, latest_invoice: invoice.id }), {
    items: old.items,
  });
  return chargeAgain(books, id);
}

/** Tries the card again for what is owed. */
export function chargeAgain(books: Books, id: string) {
  const subscription = books.store.get("subscription", id);
  if (subscription.status === "canceled") throw new StripeFault(400, "This subscription has ended.");
  const owed = books.store.get("invoice", String(subscription.latest_invoice));
  const invoice = collect(books, owed.status === "draft" ? finalize(books, owed) : owed);
  const status = invoice.status === "paid" ? "active" : "past_due";
  if (status === subscription.status) return subscription;
  const changed = books.store.put({ ...subscription, status });
  books.emit("customer.subscription.updated", changed, { status: subscription.status });
  return changed;
}

/** Lets it run out, or go on. In its portal the service sets a date and not the flag. */
export function endLater(books: Books, old: Subscription, ends: { isByDate: boolean } | undefined): Subscription {
  const changed = books.store.put({
    ...old,
    cancel_at_period_end: ends !== undefined && !ends.isByDate,
    cancel_at: ends ? (old.items.data[0]?.current_period_end ?? null) : null,
    canceled_at: ends ? now() : null,
  });
  books.emit("customer.subscription.updated", changed, { cancel_at_period_end: old.cancel_at_period_end });
  return changed;
}

export function cancel(
  books: Books,
  subscription: Subscription,
  reason: "cancellation_requested" | "payment_failed",
): Subscription {
  const at = now();
  const ended = books.store.put({
    ...subscription,
    status: "canceled",
    canceled_at: subscription.canceled_at ?? at,
    ended_at: at,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
  });
  books.emit("customer.subscription.deleted", ended);
  return ended;
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

/** The same day of the month or year, or its last day where there is none. */
function addInterval(start: number, { recurring }: Objects["price"]): number {
  const count = recurring?.interval_count ?? 1;
  if (recurring?.interval === "day") return start + count * 86_400;
  if (recurring?.interval === "week") return start + count * 7 * 86_400;
  const date = new Date(start * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (recurring?.interval === "year" ? 12 : 1));
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return Math.floor(date.getTime() / 1000);
}
