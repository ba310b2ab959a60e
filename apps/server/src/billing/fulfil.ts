import { categoryOf } from "@nido/contract";
import type { Stripe } from "stripe";
import { findUser, lockUser } from "../account/queries.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { insertProject } from "../projects/queries.ts";
import { announceChange } from "../remote/announceChange.ts";
import type { Billing } from "./Billing.ts";
import { type CheckoutRow, findCheckout, recordPurchase } from "./checkoutQueries.ts";
import { insertSubscription } from "./queries.ts";
import { idOf } from "./receiveEvent.ts";
import { termsOf } from "./termsOf.ts";

/**
 * Gives the customer what they paid for. Everything is held against what we reserved; the project, the
 * subscription and the end of the reservation are one transaction, and unique indices let none of it happen twice.
 */
export async function fulfil({ db, stripe, log }: Billing, subscription: Stripe.Subscription) {
  const { data: sessions } = await stripe.checkout.sessions.list({ subscription: subscription.id, limit: 1 });
  const [session] = sessions;
  const reserved = session && (await findCheckout(db, session.client_reference_id ?? ""));
  if (!session || !reserved) return; // bought elsewhere

  await db.transaction(async (tx) => {
    await lockUser(tx, reserved.userId);
    const checkout = await findCheckout(tx, reserved.id);
    const user = await findUser(tx, reserved.userId);
    if (!checkout || !user || checkout.state === "paid") return;
    const fault = faultOf(subscription, session, checkout, user.providerId);
    if (fault) return log.error({ subId: subscription.id, checkout: checkout.id }, `a purchase was refused: ${fault}`);

    await insertSubscription(tx, { id: subscription.id, userId: user.id, ...termsOf(subscription) });
    const isStatic = categoryOf(checkout.recipe) === "static";
    const projectId = await insertProject(tx, {
      userId: user.id,
      name: checkout.name,
      recipe: checkout.recipe,
      recipeId: checkout.recipeId,
      subId: subscription.id,
      status: isStatic ? "active" : "provisioning",
    });
    if (!projectId) throw new Error(`${checkout.name} was paid for and is taken: the customer is owed a refund`);
    await recordPurchase(tx, checkout.id, session.id, subscription.id);
    if (checkout.taskId)
      await enqueue(tx, "provisionWordPress", { projectId, taskId: checkout.taskId, username: checkout.username });
    await announceChange(tx, user.id);
  });
}

/** Why a purchase is not what was reserved. */
function faultOf(
  subscription: Stripe.Subscription,
  session: Stripe.Checkout.Session,
  checkout: CheckoutRow,
  providerId: string | null,
): string | undefined {
  const isPaid = session.payment_status === "paid" || session.payment_status === "no_payment_required";
  if (session.status !== "complete" || !isPaid) return "it is not paid";
  if (subscription.status !== "active" && subscription.status !== "trialing") return `it is ${subscription.status}`;
  if (checkout.sessionId !== null && checkout.sessionId !== session.id) return "another session was opened for it";
  if (!providerId || idOf(session.customer) !== providerId || idOf(subscription.customer) !== providerId)
    return "somebody else paid";
  if (session.metadata?.["checkout"] !== checkout.id || subscription.metadata["checkout"] !== checkout.id)
    return "its metadata is foreign";
  const [item, ...others] = subscription.items.data;
  if (item?.price.id !== checkout.planId || others.length > 0 || item.quantity !== 1) return "the price is another";
  return undefined;
}
