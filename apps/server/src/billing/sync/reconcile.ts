import type { Stripe } from "stripe";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Billing } from "../Billing.ts";
import { findOverdueSessions, releaseUnanswered } from "../checkout/queries.ts";
import { cancelAtProviderJob, syncCheckoutJob } from "../jobs.ts";
import { findForgottenCancellations } from "../queries.ts";
import { moveCursor, readCursor } from "./cursor.ts";
import { eventTypes, receiveEvent } from "./receiveEvent.ts";

const cursor = "provider events";
/** How far back each run looks again: events become readable a little after they happen. */
const overlap = 15 * 60;
/** How far back the first run looks; the provider itself forgets after 30 days. */
const furthest = 29 * 24 * 60 * 60;

/** Repairs what a lost webhook left: reads the provider's own list of events and takes those we have not. */
export async function reconcile(billing: Billing) {
  const { db, stripe } = billing;
  // What needs no answer first: names must not be held because the provider is away.
  await db.transaction(releaseUnanswered);
  for (const { sessionId, customer } of await findOverdueSessions(db))
    await enqueue(db, syncCheckoutJob, { sessionId }, customer ?? undefined);
  for (const subId of await findForgottenCancellations(db)) await enqueue(db, cancelAtProviderJob, { subId });

  const startedAt = new Date();
  const since = await readCursor(db, cursor);
  const from = since ? since.getTime() / 1000 - overlap : startedAt.getTime() / 1000 - furthest;
  const events: Stripe.Event[] = [];
  for await (const event of stripe.events.list({
    types: [...eventTypes],
    created: { gte: Math.floor(from) },
    limit: 100,
  }))
    events.push(event);
  // The provider lists the newest first; taken in the order in which they happened.
  for (const event of events.reverse()) await db.transaction((tx) => receiveEvent(tx, event));

  await moveCursor(db, cursor, startedAt);
}
