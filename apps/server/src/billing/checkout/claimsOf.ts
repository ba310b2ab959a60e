import type { PlanOffer } from "@nido/contract";
import { findByRefcode } from "../../account/queries.ts";
import type { Tx } from "../../db/connect.ts";
import { AppError } from "../../platform/AppError.ts";
import { couponRefusal } from "../coupons/couponRefusal.ts";
import type { Coupon } from "../coupons/findCoupon.ts";
import { hasBought } from "../queries.ts";
import { type CheckoutRow, type ClaimKind, hasHadTrial } from "./queries.ts";

/** What a purchase has beyond the plan: a referral's discount, an operators' code or the trial, and never two of them. */
export type Claims = Pick<CheckoutRow, "referrerId" | "promotionCode" | "firstPurchase" | "trialDays">;

const noClaims: Claims = { referrerId: null, promotionCode: null, firstPurchase: false, trialDays: null };

/** Throws if the code does not count for this customer and plan. */
export async function claimsOf(
  tx: Tx,
  userId: string,
  offer: PlanOffer,
  promo: string,
  coupon: Coupon | undefined,
): Promise<Claims> {
  if (!promo) {
    const hasTrial = offer.trial_days !== undefined && !(await hasHadTrial(tx, userId));
    return hasTrial ? { ...noClaims, trialDays: offer.trial_days as number } : noClaims;
  }
  const referrer = await findByRefcode(tx, promo);
  if (referrer?.id === userId) throw new AppError("error_promotion_own");
  if (referrer) return { ...noClaims, referrerId: referrer.id };
  if (!coupon) throw new AppError("error_promotion_unknown");
  const refusal = couponRefusal(coupon, offer);
  if (refusal) throw new AppError(refusal);
  if (coupon.firstPurchase && (await hasBought(tx, userId))) throw new AppError("error_promotion_first_only");
  return { ...noClaims, promotionCode: coupon.id, firstPurchase: coupon.firstPurchase };
}

/** Which of the things that a customer can have once these claims include. */
export function claimKind({ referrerId, firstPurchase, trialDays }: Claims): ClaimKind | undefined {
  if (referrerId) return "referral";
  if (firstPurchase) return "firstPurchase";
  return trialDays === null ? undefined : "trial";
}
