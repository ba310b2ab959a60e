import { webhookPath } from "@nido/server/billing/sync/webhookRoute";
import type { Stripe } from "stripe";
import type { Shop } from "./shop.ts";

/** Sends a webhook event with a valid signature, as the provider does. */
export function deliver({ server, stripe, webhookSecret }: Shop, event: Stripe.Event | string, timestamp?: number) {
  const payload = typeof event === "string" ? event : JSON.stringify(event, null, 2);
  const header = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: webhookSecret,
    ...(timestamp !== undefined && { timestamp }),
  });
  return server.app.inject({
    method: "POST",
    url: webhookPath,
    headers: { host: "localhost:3000", "content-type": "application/json", "stripe-signature": header },
    payload,
  });
}

/** The provider's latest events about a checkout session and its subscription, oldest first. */
export async function eventsOf({ stripe }: Shop, sessionId: string): Promise<Stripe.Event[]> {
  const session = await stripe.checkout.sessions.retrieve(sessionId);
  const { data } = await stripe.events.list({ limit: 30 });
  const about = String(session.subscription ?? sessionId);
  return data.filter((event) => JSON.stringify(event).includes(about)).reverse();
}
