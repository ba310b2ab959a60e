import { join } from "node:path";
import { googleCallbackPath } from "../auth/Google.ts";
import { webhookPath } from "../billing/sync/webhookRoute.ts";
import type { Config } from "../config/parseConfig.ts";

/** Google's client, if it is configured. */
export function configuredGoogle({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret }: Config) {
  if (!clientId || !clientSecret) return undefined;
  return { issuer: new URL("https://accounts.google.com"), clientId, clientSecret, allowInsecure: false };
}

/** Stripe's keys, if they are configured. */
export function configuredStripe(config: Config) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = config;
  return secretKey && webhookSecret ? { secretKey, webhookSecret, apiUrl } : undefined;
}

/** How the local stand-ins reach the product. */
export function sandboxOptions({ SANDBOX_PORT: port, APP_URL, HOST, HTTP_PORT, DATA_DIR }: Config) {
  const isAnyAddress = HOST === "0.0.0.0" || HOST === "::";
  return {
    port,
    redirectUri: new URL(googleCallbackPath, APP_URL),
    // By address: browsers resolve names below .localhost, but not every resolver does.
    webhookUrl: new URL(webhookPath, `http://${isAnyAddress ? "127.0.0.1" : HOST}:${HTTP_PORT}`),
    folder: join(DATA_DIR, "sandbox"),
  };
}
