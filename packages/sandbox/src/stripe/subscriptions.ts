import { z } from "zod";
import { addInterval } from "./addInterval.ts";
import { billPeriod } from "./billPeriod.ts";
import { collect, finalize } from "./invoices.ts";
import type { Objects } from "./objects.ts";
import { flag, mergeMetadata, metadata, takes, text } from "./parameters.ts";
import { passes, type Route, readRoutes, route } from "./Route.ts";
import { now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

type Subscription = Objects["subscription"];

export const subscriptionRoutes: Route[] = [
  route(
    "POST",
    "/v1/subscriptions/:id",
    takes({ cancel_at_period_end: flag.optional(), metadata: metadata.optional() }),
    (context, params, id) => {
      const old = context.store.get("subscription", id);
      if (old.status === "canceled")
        throw new StripeFault(400, "A canceled subscription can only update its cancellation_details and metadata.");
      const changed = { ...old, metadata: mergeMetadata(old.metadata, params.metadata) };
      const ends = params.cancel_at_period_end ?? old.cancel_at_period_end;
      return scheduleEnd(context, changed, ends ? { isByDate: false } : undefined);
    },
  ),
  route(
    "DELETE",
    "/v1/subscriptions/:id",
    takes({ prorate: flag.optional(), invoice_now: flag.optional() }),
    (context, _params, id) => {
      const subscription = context.store.get("subscription", id);
      // Stripe answers 404 here, although the subscription can still be retrieved.
      if (subscription.status === "canceled")
        throw new StripeFault(404, `No such subscription: '${id}'`, { code: "resource_missing", param: "id" });
      return cancel(context, subscription, "cancellation_requested");
    },
  ),
  ...readRoutes(
    "subscription",
    "/v1/subscriptions",
    {
      customer: text.optional(),
      price: text.optional(),
      status: z.enum(["all", "active", "past_due", "unpaid", "canceled", "incomplete", "trialing", "ended"]).optional(),
    },
    (subscription, { customer, price, status }) =>
      passes<unknown>(subscription.customer, customer) &&
      passes(subscription.items.data[0]?.price.id, price) &&
      (status === undefined ? subscription.status !== "canceled" : status === "all" || subscription.status === status),
  ),
];

/** Ends the current period: bills the next one, or ends the subscription if it was cancelled at period end. */
export function endPeriod(context: StripeContext, id: string) {
  const old = context.store.get("subscription", id);
  const [item] = old.items.data;
  if (!item || old.status === "canceled") throw new StripeFault(400, "This subscription has ended.");
  if (old.cancel_at !== null) return cancel(context, old, "cancellation_requested");

  const start = item.current_period_end;
  const next = { ...item, current_period_start: start, current_period_end: addInterval(start, item.price) };
  const renewed = context.store.put({ ...old, items: { ...old.items, data: [next] } });
  const discount = context.store.find("discount", renewed.discounts[0] as string | undefined);
  const invoice = billPeriod(context, renewed, "subscription_cycle", discount);
  context.emit("customer.subscription.updated", context.store.put({ ...renewed, latest_invoice: invoice.id }), {
    items: old.items,
  });
  return chargeAgain(context, id);
}

/** Charges the card again for the latest invoice. */
export function chargeAgain(context: StripeContext, id: string) {
  const subscription = context.store.get("subscription", id);
  if (subscription.status === "canceled") throw new StripeFault(400, "This subscription has ended.");
  const owed = context.store.get("invoice", String(subscription.latest_invoice));
  const invoice = collect(context, owed.status === "draft" ? finalize(context, owed) : owed);
  const status = invoice.status === "paid" ? "active" : "past_due";
  if (status === subscription.status) return subscription;
  const changed = context.store.put({ ...subscription, status });
  context.emit("customer.subscription.updated", changed, { status: subscription.status });
  return changed;
}

/** Sets or clears the end of a subscription. The customer portal sets a date instead of the flag. */
export function scheduleEnd(
  context: StripeContext,
  old: Subscription,
  ends: { isByDate: boolean } | undefined,
): Subscription {
  const changed = context.store.put({
    ...old,
    cancel_at_period_end: ends !== undefined && !ends.isByDate,
    cancel_at: ends ? (old.items.data[0]?.current_period_end ?? null) : null,
    canceled_at: ends ? now() : null,
  });
  context.emit("customer.subscription.updated", changed, { cancel_at_period_end: old.cancel_at_period_end });
  return changed;
}

export function cancel(
  context: StripeContext,
  subscription: Subscription,
  reason: "cancellation_requested" | "payment_failed",
): Subscription {
  const at = now();
  const ended = context.store.put({
    ...subscription,
    status: "canceled",
    canceled_at: subscription.canceled_at ?? at,
    ended_at: at,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
  });
  context.emit("customer.subscription.deleted", ended);
  return ended;
}
