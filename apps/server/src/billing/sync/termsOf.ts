import { intervals } from "@nido/contract";
import type { Stripe } from "stripe";

/** The price and the dates of a subscription, as columns of our table. */
export function termsOf({ id, items, created }: Stripe.Subscription) {
  const [item] = items.data;
  const interval = intervals.find((name) => name === item?.price.recurring?.interval);
  if (!item || !interval || item.price.unit_amount === null)
    throw new Error(`subscription ${id} has no fixed monthly or yearly price`);
  return {
    amount: item.price.unit_amount,
    currency: item.price.currency,
    interval,
    createdAt: new Date(created * 1000),
    periodStart: new Date(item.current_period_start * 1000),
    periodEnd: new Date(item.current_period_end * 1000),
  };
}
