import { Stripe } from "stripe";
import type { Billing } from "../Billing.ts";

/** Creates the coupon of the current referral terms, unless it exists. Its id contains the terms. */
export async function ensureReferralCoupon({ stripe, config }: Billing): Promise<string> {
  const { REFERRAL_PERCENT_OFF: percent_off, REFERRAL_DURATION: duration } = config;
  const id = `nido-referral-${percent_off}-${duration}`;
  try {
    await stripe.coupons.create({ id, percent_off, duration, name: `${percent_off} %` });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_already_exists"))
      throw error;
  }
  return id;
}
