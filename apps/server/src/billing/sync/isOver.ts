import type { Stripe } from "stripe";

/** Nothing will be charged any more. */
export function isOver({ status }: Stripe.Subscription): boolean {
  return status === "canceled" || status === "incomplete_expired";
}
