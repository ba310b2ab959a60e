import type { Stripe } from "stripe";

export function vatOf({ total_taxes: taxes }: Stripe.Invoice): number {
  return (taxes ?? []).reduce((total, { amount }) => total + amount, 0);
}
