import type { Stripe } from "stripe";

/** Whether the subscription has ended, so that nothing will be charged any more. */
export function isOver({ status }: Stripe.Subscription): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/** Whether it ends instead of being renewed. The provider's portal sets a date, and its API a flag. */
export function willEnd({ cancel_at_period_end, cancel_at }: Stripe.Subscription): boolean {
  return cancel_at_period_end || cancel_at !== null;
}

/** Whether a payment is overdue. One that is paused has no open invoice: its trial ended without a card. */
export function isOwed({ status }: Stripe.Subscription): boolean {
  return status === "past_due" || status === "unpaid";
}
