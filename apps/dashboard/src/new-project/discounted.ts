import type { PromotionTerms } from "@nido/contract";

/** The first payment in cents, rounded as the payment provider does. */
export function discounted(cents: number, terms: PromotionTerms | undefined): number {
  return terms ? cents - Math.round((cents * terms.percent_off) / 100) : cents;
}
