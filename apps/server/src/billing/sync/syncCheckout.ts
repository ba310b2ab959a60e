import { type Billing, unlessMissing } from "../Billing.ts";
import { findCheckout, releaseCheckout, releaseSession } from "../checkout/queries.ts";
import { idOf } from "../idOf.ts";
import { syncSubscription } from "./syncSubscription.ts";

/** Updates a checkout from the provider: a paid one is fulfilled, an expired one is released. */
export async function syncCheckout(billing: Billing, sessionId: string) {
  const { db, stripe, log } = billing;
  const session = await unlessMissing(stripe.checkout.sessions.retrieve(sessionId));
  if (!session) {
    // The session belongs to another account or to the stand-in, so it cannot be paid here.
    log.error({ sessionId }, "a checkout session does not exist at the provider");
    return db.transaction((tx) => releaseSession(tx, sessionId));
  }
  const subId = idOf(session.subscription);
  if (session.status === "complete" && subId) return syncSubscription(billing, subId);
  if (session.status !== "expired") return;

  const checkout = await findCheckout(db, session.client_reference_id ?? "");
  if (checkout) await db.transaction((tx) => releaseCheckout(tx, checkout.id, session.id));
}
