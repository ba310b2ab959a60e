import type { FastifyBaseLogger } from "fastify";
import { Stripe } from "stripe";
import type { Config } from "../config/parseConfig.ts";
import type { Db } from "../db/connect.ts";
import { Catalogue } from "./catalogue/Catalogue.ts";
import { createProviderClient } from "./providerClient.ts";

export interface StripeAccess {
  secretKey: string;
  webhookSecret: string;
  /** undefined for the real Stripe */
  apiUrl?: URL | undefined;
}

/** The dependencies of all billing code. `config` has the terms, such as grace period and referral discount. */
export interface Billing {
  db: Db;
  stripe: Stripe;
  webhookSecret: string;
  catalogue: Catalogue;
  config: Config;
  log: FastifyBaseLogger;
}

export function createBilling(db: Db, access: StripeAccess, config: Config, log: FastifyBaseLogger): Billing {
  const stripe = connectStripe(access);
  return { db, stripe, webhookSecret: access.webhookSecret, catalogue: new Catalogue(stripe, log), config, log };
}

/** The official client. With `apiUrl` it calls the stand-in instead of Stripe. */
export function connectStripe({ secretKey, apiUrl }: Omit<StripeAccess, "webhookSecret">): Stripe {
  const address = apiUrl && {
    host: apiUrl.hostname,
    port: apiUrl.port || (apiUrl.protocol === "https:" ? 443 : 80),
    protocol: apiUrl.protocol.replace(":", "") as "http" | "https",
  };
  const httpClient = createProviderClient(Stripe.createNodeHttpClient());
  return new Stripe(secretKey, { telemetry: false, timeout: 10_000, maxNetworkRetries: 2, httpClient, ...address });
}

export type Refusal = Stripe.errors.StripeInvalidRequestError | Stripe.errors.StripeIdempotencyError;

/** Whether the provider rejected the request itself, so that it would reject a retry too. */
export function isRefusal(error: unknown): error is Refusal {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeIdempotencyError
  );
}

/** Whether the idempotency key was used before, with other parameters. */
export function isKeyConflict(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeIdempotencyError;
}

/** Whether the provider failed with a 5xx. It replays that answer to every retry with the same idempotency key. */
export function isFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500;
}

/** Resolves with undefined if the provider does not have the requested object. */
export function unlessMissing<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  return call.catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";
}
