import { addInterval } from "./addInterval.ts";
import { wholePeriod } from "./billPeriod.ts";
import { type Charge, draftInvoice } from "./draftInvoice.ts";
import { collect, finalize, voidInvoice } from "./invoices.ts";
import type { Objects } from "./objects.ts";
import { intentOf } from "./payInvoice.ts";
import { now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

type Subscription = Objects["subscription"];
type Item = Objects["subscription_item"];

export interface PriceChange {
  items: { id: string; price: string }[] | undefined;
  proration_behavior: "always_invoice" | "none" | undefined;
  proration_date: number | undefined;
}

/** An unpaid change is dropped after this time. */
const pendingSeconds = 23 * 3600;

/** Changes the price of a subscription, and bills the difference. If that cannot be paid, the change waits. */
export function changePrice(
  context: StripeContext,
  known: Subscription,
  change: PriceChange,
  behavior: "pending_if_incomplete" | "allow_incomplete" = "allow_incomplete",
): Subscription {
  const old = dropPending(context, known);
  const { item, charges } = billChange(context, old, change);
  if (charges.length === 0) return update(context, old, item);
  const discount = discountFor(context, old);
  const draft = context.store.put(draftInvoice(context, old, { reason: "subscription_update", charges, discount }));
  context.emit("invoice.created", draft);
  const invoice = collect(context, finalize(context, draft));
  const billed = { ...old, latest_invoice: invoice.id };
  if (invoice.status === "paid") return update(context, billed, item);
  if (behavior === "allow_incomplete") {
    const isProcessing = intentOf(context, invoice.id)?.status === "processing";
    return update(context, { ...billed, ...(!isProcessing && { status: "past_due" as const }) }, item);
  }
  const waiting = context.store.put({
    ...billed,
    pending_update: {
      billing_cycle_anchor: null,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: now() + pendingSeconds,
      metadata: null,
      subscription_items: [item],
      trial_end: null,
      trial_from_plan: null,
    },
  });
  context.emit("customer.subscription.updated", waiting, { pending_update: null });
  return waiting;
}

/** The invoice of a change that is paid at last applies it. */
export function applyPending(context: StripeContext, subscription: Subscription): Subscription {
  const [item] = subscription.pending_update?.subscription_items ?? [];
  if (!item) return subscription;
  return update(context, { ...subscription, pending_update: null }, item);
}

/** Drops the changes that nobody has paid in time. */
export function dropOverduePending(context: StripeContext) {
  const overdue = context.store
    .all("subscription")
    .filter(({ pending_update: waiting }) => waiting && waiting.expires_at <= now());
  for (const subscription of overdue) {
    const changed = dropPending(context, subscription);
    context.emit("customer.subscription.pending_update_expired", changed);
  }
}

function dropPending(context: StripeContext, old: Subscription): Subscription {
  if (!old.pending_update) return old;
  voidInvoice(context, context.store.get("invoice", String(old.latest_invoice)));
  return context.store.get("subscription", old.id);
}

/** What a change would be billed now; without one, or without a proration, the next regular invoice. */
export function previewInvoice(context: StripeContext, old: Subscription, change: PriceChange): Objects["invoice"] {
  const { item, charges } = change.items ? billChange(context, old, change) : { item: old.items.data[0], charges: [] };
  if (!item) throw new StripeFault(400, "This subscription has no items.");
  const discount = discountFor(context, old);
  if (charges.length > 0) return draftInvoice(context, old, { reason: "upcoming", charges, discount });
  const start = item.current_period_end;
  const next = { ...item, current_period_start: start, current_period_end: addInterval(start, item.price) };
  const regular = draftInvoice(context, old, { reason: "upcoming", charges: [wholePeriod(context, next)], discount });
  return { ...regular, next_payment_attempt: start };
}

/** The new item, and what is billed at once. Another interval begins a new period, as Stripe does it. */
function billChange(context: StripeContext, old: Subscription, change: PriceChange) {
  const item = oldItem(old, change);
  const price = newPrice(context, old, change);
  // A period that was begun on the control page begins in the future.
  const at = change.proration_date ?? Math.max(now(), item.current_period_start);
  if (at < item.current_period_start || at > item.current_period_end)
    throw new StripeFault(400, "The proration date must be within the current period.", { param: "proration_date" });
  // A trial goes on, and nothing is billed until its end.
  const isTrial = old.status === "trialing";
  const isOtherInterval = !isTrial && price.recurring?.interval !== item.price.recurring?.interval;
  const changed: Item = {
    ...item,
    price,
    plan: { ...item.plan, id: price.id, amount: price.unit_amount, product: price.product },
    ...(isOtherInterval && { current_period_start: at, current_period_end: addInterval(at, price) }),
  };
  if (change.proration_behavior === "none")
    return { item: changed, charges: isOtherInterval ? [wholePeriod(context, changed)] : [] };
  const until = isTrial ? item.current_period_end : at;
  const credit = restOf(context, old, item, until, -1);
  const charge = isOtherInterval ? wholePeriod(context, changed) : restOf(context, old, changed, until, 1);
  return { item: changed, charges: [credit, charge] };
}

function oldItem(old: Subscription, { items = [] }: PriceChange): Item {
  const [item] = old.items.data;
  if (!item || item.id !== items[0]?.id)
    throw new StripeFault(400, "Invalid subscription item id", { param: "items[0][id]" });
  return item;
}

function newPrice({ store }: StripeContext, old: Subscription, { items = [] }: PriceChange): Objects["price"] {
  const price = store.get("price", items[0]?.price ?? "", "items[0][price]");
  if (!price.active || !price.recurring)
    throw new StripeFault(400, "The price specified is inactive or not recurring.", { param: "items[0][price]" });
  if (price.currency !== old.currency)
    throw new StripeFault(400, "The price's currency differs from the subscription's.", { param: "items[0][price]" });
  return price;
}

/** The part of a period from a moment on: charged, or credited at what was really paid for it. */
function restOf(context: StripeContext, old: Subscription, item: Item, at: number, sign: 1 | -1): Charge {
  const { current_period_start: start, current_period_end: end } = item;
  const share = end > start ? (end - at) / (end - start) : 0;
  const full = (item.price.unit_amount ?? 0) * (item.quantity ?? 1);
  const paid = sign < 0 ? full * paidShare(context, old, item) : full;
  const name = context.store.find("product", String(item.price.product))?.name;
  return {
    item,
    amount: sign * Math.round(paid * share),
    description: sign < 0 ? `Unused time on ${name}` : `Remaining time on ${name}`,
    period: { start: at, end },
    isProration: true,
  };
}

/** Which share of the price was paid for the running period, after discounts. */
function paidShare({ store }: StripeContext, old: Subscription, item: Item): number {
  for (const { lines, parent } of store.all("invoice")) {
    if (parent?.subscription_details?.subscription !== old.id) continue;
    const line = lines.data.find(
      ({ pricing, period, amount }) =>
        pricing?.price_details?.price === item.price.id && period.end === item.current_period_end && amount > 0,
    );
    if (line) return 1 - (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0) / line.amount;
  }
  return 1;
}

/** A discount on every payment also counts for changes. */
function discountFor({ store }: StripeContext, { discounts }: Subscription) {
  const discount = store.find("discount", discounts[0] as string | undefined);
  return discount && (discount.end ?? Number.POSITIVE_INFINITY) > now() ? discount : undefined;
}

function update(context: StripeContext, old: Subscription, item: Item): Subscription {
  const changed = context.store.put({ ...old, items: { ...old.items, data: [item] } });
  context.emit("customer.subscription.updated", changed, { items: old.items });
  return changed;
}
