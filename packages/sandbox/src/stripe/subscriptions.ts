import { z } from "zod";
import { addInterval } from "./addInterval.ts";
import { billPeriod } from "./billPeriod.ts";
import { applyPending, changePrice, previewInvoice } from "./changePrice.ts";
import { collect, finalize } from "./invoices.ts";
import type { Objects } from "./objects.ts";
import { flag, integer, mergeMetadata, metadata, takes, text } from "./parameters.ts";
import { pauseCollection, stopCollection, withhold } from "./pauses.ts";
import { intentOf } from "./payInvoice.ts";
import { passes, type Route, readRoutes, route } from "./Route.ts";
import { now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

type Subscription = Objects["subscription"];

const prorationFields = {
  proration_behavior: z.enum(["always_invoice", "none"]).optional(),
  proration_date: integer.optional(),
};

function prorationOf({ proration_behavior, proration_date }: z.output<z.ZodObject<typeof prorationFields>>) {
  return { proration_behavior, proration_date };
}

const items = z
  .array(z.strictObject({ id: text, price: text }))
  .length(1)
  .optional();

export const subscriptionRoutes: Route[] = [
  route(
    "POST",
    "/v1/invoices/create_preview",
    takes({
      subscription: text,
      subscription_details: z.strictObject({ items, ...prorationFields }).optional(),
    }),
    (context, { subscription: id, subscription_details: details = {} }) => {
      const subscription = context.store.get("subscription", id, "subscription");
      if (subscription.status === "canceled" || (subscription.cancel_at !== null && !details.items))
        throw new StripeFault(400, "No upcoming invoices for this subscription.", { code: "invoice_upcoming_none" });
      return previewInvoice(context, subscription, { ...prorationOf(details), items: details.items });
    },
  ),
  route(
    "POST",
    "/v1/subscriptions/:id",
    takes({
      cancel_at_period_end: flag.optional(),
      cancel_at: z.literal("").optional(),
      metadata: metadata.optional(),
      pause_collection: pauseCollection.optional(),
      items,
      ...prorationFields,
      payment_behavior: z.enum(["pending_if_incomplete", "allow_incomplete"]).optional(),
    }),
    (context, params, id) => {
      const old = context.store.get("subscription", id);
      if (old.status === "canceled")
        throw new StripeFault(400, "A canceled subscription can only update its cancellation_details and metadata.");
      requireAlone(params);
      const priced = params.items
        ? changePrice(context, old, { ...prorationOf(params), items: params.items }, params.payment_behavior)
        : old;
      const changed = {
        ...priced,
        metadata: mergeMetadata(old.metadata, params.metadata),
        pause_collection: params.pause_collection === undefined ? old.pause_collection : params.pause_collection,
      };
      const hasDate = old.cancel_at !== null && !old.cancel_at_period_end;
      if (params.cancel_at_period_end !== undefined && (params.cancel_at !== undefined || hasDate))
        throw new StripeFault(400, "You cannot set `cancel_at_period_end` together with `cancel_at`.");
      if (params.cancel_at === "") return scheduleEnd(context, changed, undefined);
      if (params.cancel_at_period_end === undefined) {
        if (!params.items) context.emit("customer.subscription.updated", context.store.put(changed), {});
        return changed;
      }
      return scheduleEnd(context, changed, params.cancel_at_period_end ? { isByDate: false } : undefined);
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
      status: z
        .enum(["all", "active", "past_due", "unpaid", "canceled", "incomplete", "trialing", "paused", "ended"])
        .optional(),
    },
    (subscription, { customer, price, status }) =>
      passes<unknown>(subscription.customer, customer) &&
      passes(subscription.items.data[0]?.price.id, price) &&
      (status === undefined ? subscription.status !== "canceled" : status === "all" || subscription.status === status),
  ),
];

/** A change that may have to wait for its payment takes no other change along. */
function requireAlone(params: { payment_behavior?: unknown; metadata?: unknown; cancel_at_period_end?: unknown }) {
  if (params.payment_behavior !== "pending_if_incomplete") return;
  const other = (["metadata", "cancel_at_period_end"] as const).find((name) => params[name] !== undefined);
  if (other)
    throw new StripeFault(400, `You cannot set \`${other}\` with payment_behavior=pending_if_incomplete.`, {
      param: other,
    });
}

/** Ends the current period, and charges the next one without the hour for which its invoice is a draft. */
export function endPeriod(context: StripeContext, id: string) {
  return beginPeriod(context, id).status === "canceled" ? undefined : chargeAgain(context, id);
}

/** Bills the next period by a draft, or ends the subscription if it was cancelled at period end. */
export function beginPeriod(context: StripeContext, id: string): Subscription {
  const old = context.store.get("subscription", id);
  const [item] = old.items.data;
  if (!item || old.status === "canceled") throw new StripeFault(400, "This subscription has ended.");
  if (old.status === "paused") throw new StripeFault(400, "This subscription is paused: it is not billed.");
  if (old.cancel_at !== null) return cancel(context, old, "cancellation_requested");

  const start = item.current_period_end;
  const next = { ...item, current_period_start: start, current_period_end: addInterval(start, item.price) };
  const discount = runningDiscount(context, old, start);
  const renewed = context.store.put({
    ...old,
    status: old.status === "trialing" ? "active" : old.status,
    discounts: discount && !isForOnePayment(context, discount) ? [discount.id] : [],
    items: { ...old.items, data: [next] },
  });
  const invoice = billPeriod(context, renewed, "subscription_cycle", discount);
  const billed = context.store.put({ ...renewed, latest_invoice: invoice.id });
  context.emit("customer.subscription.updated", billed, {
    items: old.items,
    ...(old.status === "trialing" && { status: old.status }),
  });
  return billed;
}

/** The discount of the period that begins, unless it has ended. */
function runningDiscount({ store }: StripeContext, { discounts }: Subscription, start: number) {
  const discount = store.find("discount", discounts[0] as string | undefined);
  return discount && (discount.end ?? Number.POSITIVE_INFINITY) > start ? discount : undefined;
}

function isForOnePayment({ store }: StripeContext, { source }: Objects["discount"]): boolean {
  return store.find("coupon", String(source.coupon))?.duration === "once";
}

/** Charges the card again for the latest invoice. */
export function chargeAgain(context: StripeContext, id: string) {
  const subscription = context.store.get("subscription", id);
  const owed = context.store.get("invoice", String(subscription.latest_invoice));
  if (subscription.status === "canceled" && owed.status !== "open")
    throw new StripeFault(400, "This subscription has ended.");
  if (subscription.pause_collection) return withhold(context, subscription, owed);
  const invoice = collect(context, owed.status === "draft" ? finalize(context, owed) : owed);
  // The page of an open invoice takes money, also after the subscription has ended.
  if (subscription.status === "canceled") return subscription;
  // A direct debit changes nothing until it has succeeded or failed.
  if (intentOf(context, invoice.id)?.status === "processing") return subscription;
  if (subscription.pending_update)
    return invoice.status === "paid" ? applyPending(context, subscription) : subscription;
  return setStatus(context, subscription, invoice.status === "paid" ? "active" : "past_due");
}

export function setStatus(context: StripeContext, old: Subscription, status: Subscription["status"]): Subscription {
  if (status === old.status) return old;
  const changed = context.store.put({ ...old, status });
  context.emit("customer.subscription.updated", changed, { status: old.status });
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
  stopCollection(context, subscription);
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
