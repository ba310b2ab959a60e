import type { UserRow } from "../account/queries.ts";
import { AppError } from "../platform/AppError.ts";
import { type Billing, isRefusal } from "./Billing.ts";

/** Opens the provider's customer portal, and returns its address. */
export async function openPortal(
  { stripe, config, log }: Billing,
  { providerId: customer, lang: locale }: Pick<UserRow, "providerId" | "lang">,
): Promise<{ url: string }> {
  if (!customer) throw new AppError("error_portal_none");
  const return_url = new URL("/settings?tab=products", config.APP_URL).href;
  try {
    const { url } = await stripe.billingPortal.sessions.create({ customer, return_url, locale });
    return { url };
  } catch (error) {
    // The provider has no code for it.
    if (!isRefusal(error) || !/default configuration has not been created/.test(error.message)) throw error;
    log.error({ err: error }, "the portal does not open: save the customer portal's settings at the payment provider");
    throw new AppError("error_portal_unsaved");
  }
}
