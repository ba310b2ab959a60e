import type { CheckoutRow } from "./queries.ts";

/** The trial of a checkout, as parameters for the provider. */
export function trialOf({ trialDays }: CheckoutRow) {
  if (trialDays === null) return {};
  // If the customer removed the card meanwhile, the first payment is overdue, as any that fails.
  const trial_settings = { end_behavior: { missing_payment_method: "create_invoice" as const } };
  return { trial_period_days: trialDays, trial_settings };
}
