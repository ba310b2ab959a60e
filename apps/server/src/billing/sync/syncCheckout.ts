import { type Billing, unlessMissing } from "../Billing.ts";
import { findCheckout, releaseCheckout, releaseSession } from "../checkout/queries.ts";
import { idOf } from "../idOf.ts";
import { syncSubscription } from "./syncSubscription.ts";

/** Brings a checkout to where the provider has it: paid, with what was bought, or expired and out of the way. */
export async function syncCheckout(billing: Billing, sessionId: string) {
  const { db, stripe, log } = billing;
  const session = await unlessMissing(stripe.checkout.sessions.retrieve(sessionId));
  if (!session) {
    // Nobody can pay it there: it was another account's, or the stand-in's.
    log.error({ sessionId }, "the provider does not know a checkout");
    return db.transaction((tx) => releaseSession(tx, sessionId));
  }
  const subId = idOf(session.subscription);
  if (session.status === "complete" && subId) return syncSubscription(billing, subId);
  if (session.status !== "expired") return;

  const checkout = await findCheckout(db, session.client_reference_id ?? "");
  if (checkout) await db.transaction((tx) => releaseCheckout(tx, checkout.id, session.id));
}
