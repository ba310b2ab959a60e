import { connectStripe } from "../apps/server/src/billing/Billing.ts";
import { sandboxOptions } from "../apps/server/src/processes/providers.ts";
import { readApiKey } from "../packages/sandbox/src/stripe/readApiKey.ts";
import { config } from "./operate.ts";

/** The payment provider of the running product, for the operator's commands: Stripe, or the stand-in on this machine. */
export function connectProvider() {
  const { STRIPE_SECRET_KEY: key, STRIPE_API_URL: apiUrl } = config;
  if (key) return connectStripe({ secretKey: key, apiUrl });
  const { port, folder } = sandboxOptions(config);
  const secretKey = readApiKey(folder);
  if (!secretKey) throw new Error("STRIPE_SECRET_KEY is not set, and no stand-in has run here.");
  return connectStripe({ secretKey, apiUrl: new URL(`http://127.0.0.1:${port}`) });
}
