import { type Billing, isMissing } from "./Billing.ts";
import { findCheckout, releaseCheckout } from "./checkoutQueries.ts";
import { idOf } from "./receiveEvent.ts";
import { syncSubscription } from "./syncSubscription.ts";

/** Brings a checkout to where the provider has it: paid, with what was bought, or expired and out of the way. */
export async function syncCheckout(billing: Billing, sessionId: string) {
  const session = await billing.stripe.checkout.sessions.retrieve(sessionId).catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!session) return billing.log.error({ sessionId }, "the provider does not know a checkout that it told of");
  if (session.status === "complete" && session.subscription)
    return syncSubscription(billing, idOf(session.subscription));
  if (session.status !== "expired") return;

  const checkout = await findCheckout(billing.db, session.client_reference_id ?? "");
  const isIt = checkout && (checkout.sessionId === null || checkout.sessionId === session.id);
  if (isIt) await releaseCheckout(billing.db, checkout.id);
}
