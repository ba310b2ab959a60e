import { intervals } from "@nido/contract";
import type { Stripe } from "stripe";
import type { subscriptions } from "../../db/schema.ts";

type Price = Pick<typeof subscriptions.$inferSelect, "amount" | "currency" | "interval">;

/**
 * The price and the dates of a subscription, as columns of our table. A price without a fixed monthly or yearly amount,
 * such as a tiered price or one for three months, cannot be shown: the previous price is kept.
 */
export function termsOf({ id, items, created, trial_end }: Stripe.Subscription, agreed?: Price) {
  const [item] = items.data;
  const price = (item && priceOf(item.price)) ?? agreed;
  if (!item || !price) throw new Error(`subscription ${id} has no fixed monthly or yearly price`);
  return {
    amount: price.amount,
    currency: price.currency,
    interval: price.interval,
    createdAt: new Date(created * 1000),
    periodStart: new Date(item.current_period_start * 1000),
    periodEnd: new Date(item.current_period_end * 1000),
    trialEndsAt: trial_end === null ? null : new Date(trial_end * 1000),
  };
}

function priceOf({ unit_amount, unit_amount_decimal, currency, recurring }: Stripe.Price): Price | undefined {
  const interval = intervals.find((name) => name === recurring?.interval);
  // Fractions of a cent are in the decimal only.
  const amount = unit_amount ?? (unit_amount_decimal === null ? Number.NaN : Math.round(Number(unit_amount_decimal)));
  return interval && recurring?.interval_count === 1 && Number.isFinite(amount)
    ? { amount, currency, interval }
    : undefined;
}
