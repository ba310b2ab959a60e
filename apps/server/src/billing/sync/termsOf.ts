import { intervals } from "@nido/contract";
import type { Stripe } from "stripe";

/** A subscription's price and dates, as our state has them. */
export function termsOf({ items, created }: Stripe.Subscription) {
  const [item] = items.data;
  const interval = intervals.find((name) => name === item?.price.recurring?.interval);
  if (!item || !interval || item.price.unit_amount === null)
    throw new Error("a subscription has a price that we do not sell");
  return {
    amount: item.price.unit_amount,
    currency: item.price.currency,
    interval,
    createdAt: new Date(created * 1000),
    periodStart: new Date(item.current_period_start * 1000),
    periodEnd: new Date(item.current_period_end * 1000),
  };
}
