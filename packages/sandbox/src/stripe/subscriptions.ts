import { z } from "zod";
import { addInterval } from "./addInterval.ts";
import type { Books } from "./Books.ts";
import { billPeriod } from "./billPeriod.ts";
import { collect, finalize } from "./invoices.ts";
import type { Objects } from "./objects.ts";
import { flag, mergeMetadata, metadata, takes, text } from "./parameters.ts";
import { is, type Route, reads, route } from "./Route.ts";
import { now } from "./Store.ts";
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
