import type { Stripe } from "stripe";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Billing } from "../Billing.ts";
import { requestUpdate } from "../cancelSubscription.ts";
import { findOverdueSessions, releaseUnanswered } from "../checkout/queries.ts";
import { payRefundJob, syncCheckoutJob } from "../jobs.ts";
import { findForgottenCancellations } from "../queries.ts";
import { findForgottenRefunds } from "../refunds/queries.ts";
import { moveCursor, readCursor } from "./cursor.ts";
import { eventTypes, receiveEvent } from "./receiveEvent.ts";

const cursor = "provider events";
/** Each run reads the last quarter of an hour again, because an event is listed a little after it happens. */
const overlapSeconds = 15 * 60;
/** How far back the first run reads. The provider keeps events for 30 days. */
const firstRunSeconds = 29 * 24 * 60 * 60;

/** Makes up for lost webhooks: reads the provider's list of events and processes the new ones. */
export async function reconcile(billing: Billing) {
  const { db, stripe } = billing;
  // These come first because they do not call the provider: names must not stay held while it is down.
  await db.transaction(releaseUnanswered);
  for (const { sessionId, customer } of await findOverdueSessions(db))
    await enqueue(db, syncCheckoutJob, { sessionId }, customer ?? undefined);
  for (const { id } of await findForgottenCancellations(db)) await requestUpdate(db, id, "withPeriod");
  for (const { id } of await findForgottenRefunds(db)) await enqueue(db, payRefundJob, { refundId: id }, id);

  const startedAt = new Date();
  const since = await readCursor(db, cursor);
  const from = since ? since.getTime() / 1000 - overlapSeconds : startedAt.getTime() / 1000 - firstRunSeconds;
  const events: Stripe.Event[] = [];
  for await (const event of stripe.events.list({
    types: [...eventTypes],
    created: { gte: Math.floor(from) },
    limit: 100,
  }))
    events.push(event);
  // The provider lists the newest event first. They are processed in the order in which they happened.
  for (const event of events.reverse()) await db.transaction((tx) => receiveEvent(tx, event));

  await moveCursor(db, cursor, startedAt);
}
