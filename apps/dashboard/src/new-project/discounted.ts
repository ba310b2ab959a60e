import type { Discount, Interval, PlanOffer, Promotion } from "@nido/contract";

/** The discount of a plan; undefined if the code does not count for it. The server has the same rule. */
export function discountFor({ plan, product }: PlanOffer, promotion: Promotion | undefined): Discount | undefined {
  if (!promotion) return undefined;
  const isForProduct = promotion.products?.some(({ id }) => id === product.id) ?? true;
  const isForCurrency = promotion.currency === undefined || promotion.currency === plan.currency;
  return isForProduct && isForCurrency ? promotion : undefined;
}

/** The first payment in cents, rounded as the payment provider does. */
export function discounted(cents: number, discount: Discount | undefined): number {
  if (!discount) return cents;
  const { percent_off: percent, amount_off: amount = 0 } = discount;
  return percent === undefined ? Math.max(0, cents - amount) : cents - Math.round((cents * percent) / 100);
}

/** How many payments the discount lasts. */
export function discountedPayments({ duration, months = 1 }: Discount, interval: Interval): number {
  if (duration !== "repeating") return duration === "once" ? 1 : Number.POSITIVE_INFINITY;
  return interval === "year" ? Math.ceil(months / 12) : months;
}
