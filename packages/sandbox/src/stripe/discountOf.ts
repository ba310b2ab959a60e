import type { Objects } from "./objects.ts";

/** The amount that a coupon deducts, in cents. */
export function discountOf(coupon: Objects["coupon"], subtotal: number): number {
  if (coupon.percent_off !== null) return Math.round((subtotal * coupon.percent_off) / 100);
  return Math.min(subtotal, coupon.amount_off ?? 0);
}
