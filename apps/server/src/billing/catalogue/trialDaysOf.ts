import type { Stripe } from "stripe";

/** The metadata of a product in which operators enter the days of trial. */
export const trialDaysKey = "trial_days";
export const maxTrialDays = 730;

/** Undefined if the product has no trial, or if the number is one that the provider would refuse. */
export function trialDaysOf({ metadata }: Pick<Stripe.Product, "metadata">): number | undefined {
  const days = metadata[trialDaysKey] ?? "";
  return /^[1-9]\d{0,2}$/.test(days) && Number(days) <= maxTrialDays ? Number(days) : undefined;
}
