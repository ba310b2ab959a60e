import type { FastifyBaseLogger } from "fastify";
import { Stripe } from "stripe";
import type { Config } from "../config/parseConfig.ts";
import type { Db } from "../db/connect.ts";
import { Catalogue } from "./catalogue/Catalogue.ts";

export interface StripeAccess {
  secretKey: string;
  webhookSecret: string;
  /** undefined: the real service */
  apiUrl?: URL | undefined;
}

/** What buying works with: the database, the provider, and this installation's terms. */
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

/** The official client; only where it calls differs between the service and the stand-in. */
export function connectStripe({ secretKey, apiUrl }: Omit<StripeAccess, "webhookSecret">): Stripe {
  const elsewhere = apiUrl && {
    host: apiUrl.hostname,
    port: apiUrl.port || (apiUrl.protocol === "https:" ? 443 : 80),
    protocol: apiUrl.protocol.replace(":", "") as "http" | "https",
  };
  return new Stripe(secretKey, { telemetry: false, timeout: 10_000, maxNetworkRetries: 2, ...elsewhere });
}

/** Whether the provider refused for good what it was asked: asking again would change nothing. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeIdempotencyError
  );
}

/** Whether the provider itself failed, which it repeats under the same idempotency key. */
export function isFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500;
}

/** Undefined where the provider does not know what it was asked for. */
export function unlessMissing<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  return call.catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";
}
