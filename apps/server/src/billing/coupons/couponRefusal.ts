import type { ErrorKey, PlanOffer } from "@nido/contract";
import type { Coupon } from "./findCoupon.ts";

/** Why an operators' code does not count for a plan; undefined if it does. The provider has the same rules. */
export function couponRefusal(coupon: Coupon, { plan, product }: PlanOffer): ErrorKey | undefined {
  const { discount, isEnded, products, minimum } = coupon;
  if (isEnded) return "error_promotion_ended";
  const isForProduct = products?.includes(product.id) ?? true;
  const isForCurrency = discount.currency === undefined || discount.currency === plan.currency;
  const isEnough = !minimum || (minimum.currency === plan.currency && plan.amount >= minimum.amount);
  return isForProduct && isForCurrency && isEnough ? undefined : "error_promotion_not_for_plan";
}
