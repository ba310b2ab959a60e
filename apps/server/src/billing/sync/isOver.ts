import type { Stripe } from "stripe";

/** Whether the subscription has ended, so that nothing will be charged any more. */
export function isOver({ status }: Stripe.Subscription): boolean {
  return status === "canceled" || status === "incomplete_expired";
}
