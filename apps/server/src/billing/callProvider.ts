import { Stripe } from "stripe";
import { AppError } from "../platform/AppError.ts";
import type { Billing } from "./Billing.ts";
import { maxProviderMs, withinTime } from "./providerClient.ts";

/** Turns an error of the provider into an AppError. Any other error is a bug of ours. */
export async function callProvider<Answer>({ log }: Billing, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await withinTime(maxProviderMs, call);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    log.error({ err: error }, "a request to the payment provider failed");
    throw new AppError("error_payment_unavailable");
  }
}
