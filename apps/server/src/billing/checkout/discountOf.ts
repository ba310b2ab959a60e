import type { ErrorKey } from "@nido/contract";
import type { Billing, Refusal } from "../Billing.ts";
import { ensureReferralCoupon } from "./ensureReferralCoupon.ts";
import type { CheckoutRow } from "./queries.ts";

/** The discount of a checkout, as a parameter for the provider. */
export async function discountOf(billing: Billing, { referrerId, promotionCode }: CheckoutRow) {
  if (referrerId) return { coupon: await ensureReferralCoupon(billing) };
  return promotionCode === null ? undefined : { promotion_code: promotionCode };
}

/** Why the provider refuses an operators' code that we have accepted: it may have ended meanwhile. */
export async function explainDiscount(
  { stripe }: Billing,
  { promotionCode, firstPurchase }: CheckoutRow,
  error: Refusal,
): Promise<ErrorKey | undefined> {
  if (promotionCode === null) return undefined;
  if (error.code === "amount_too_small") return "error_promotion_not_for_plan";
  if (!(await stripe.promotionCodes.retrieve(promotionCode)).active) return "error_promotion_ended";
  // The provider also counts payments that we know nothing about.
  return firstPurchase && error.param?.startsWith("discounts") ? "error_promotion_first_only" : undefined;
}
