import { categoryOf } from "@nido/contract";
import type { Stripe } from "stripe";
import { findUser, lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { insertProject, isNameTaken } from "../../projects/queries.ts";
import { updateTask } from "../../tasks/queries.ts";
import { provisionWordPressJob } from "../../wordpress/jobs.ts";
import type { Billing } from "../Billing.ts";
import {
  type CheckoutRow,
  findCheckout,
  findPromotionClaim,
  recordPurchase,
  releaseCheckout,
} from "../checkout/queries.ts";
import { idOf } from "../idOf.ts";
import { cancelAtProviderJob, syncInvoiceJob } from "../jobs.ts";
import { insertSubscription } from "../queries.ts";
import { isOver } from "./isOver.ts";
import { termsOf } from "./termsOf.ts";

/**
 * Gives the customer what they paid for. Everything is held against what we reserved; the project, the
 * subscription and the end of the reservation are one transaction, and unique indices let none of it happen twice.
 */
export async function fulfilCheckout(billing: Billing, subscription: Stripe.Subscription) {
  const { db, stripe, log } = billing;
  const { data: sessions } = await stripe.checkout.sessions.list({ subscription: subscription.id, limit: 1 });
  const [session] = sessions;
  const reserved = session && (await findCheckout(db, session.client_reference_id ?? ""));
  if (!session || !reserved) return; // bought elsewhere
  if (session.status !== "complete" || (!isPaid(session) && !isOver(subscription))) return; // not yet

  await db.transaction(async (tx) => {
    await lockUser(tx, reserved.userId);
    const checkout = await findCheckout(tx, reserved.id);
    const user = await findUser(tx, reserved.userId);
    if (!checkout || !user || checkout.state === "paid") return;
    const fault = faultOf(subscription, session, checkout, user.providerId);
    if (fault) {
      log.error({ subId: subscription.id, checkout: checkout.id }, `a purchase was refused: ${fault}`);
      return releaseCheckout(tx, checkout.id, session.id);
    }
    if (await isNameTaken(tx, checkout.name)) {
      log.error({ subId: subscription.id, checkout: checkout.id }, "a purchase is owed a refund: its name is taken");
      await enqueue(tx, cancelAtProviderJob, { subId: subscription.id });
      return releaseCheckout(tx, checkout.id, session.id);
    }

    await insertSubscription(tx, { id: subscription.id, userId: user.id, ...termsOf(subscription) });
    const projectId = await insertProject(tx, {
      userId: user.id,
      name: checkout.name,
      recipe: checkout.recipe,
      recipeId: checkout.recipeId,
      subId: subscription.id,
      status: categoryOf(checkout.recipe) === "static" ? "active" : "provisioning",
    });
    if (!projectId) throw new Error(`${checkout.name} was taken at this moment`);
    // Paid although we had given it up: its promotion may have been used elsewhere meanwhile, and its task was failed.
    const claim = checkout.state === "expired" ? await findPromotionClaim(tx, user.id) : undefined;
    const referrerId = claim ? null : checkout.referrerId;
    await recordPurchase(tx, checkout.id, { sessionId: session.id, subId: subscription.id, referrerId });
    if (checkout.taskId) {
      await updateTask(tx, checkout.taskId, { state: "pending", progress: [] });
      await enqueue(tx, provisionWordPressJob, {
        projectId,
        taskId: checkout.taskId,
        username: checkout.username,
        lang: checkout.locale,
      });
    }
    // Its event may have come before there was a purchase to earn from.
    const invoiceId = idOf(subscription.latest_invoice);
    if (invoiceId) await enqueue(tx, syncInvoiceJob, { invoiceId }, idOf(subscription.customer));
    await announceChange(tx, user.id);
  });
}

function isPaid({ payment_status: status }: Stripe.Checkout.Session): boolean {
  return status === "paid" || status === "no_payment_required";
}

/** Why a purchase is not what was reserved. */
function faultOf(
  subscription: Stripe.Subscription,
  session: Stripe.Checkout.Session,
  checkout: CheckoutRow,
  providerId: string | null,
): string | undefined {
  if (isOver(subscription)) return `it is ${subscription.status}`;
  if (checkout.sessionId !== null && checkout.sessionId !== session.id) return "another session was opened for it";
  if (!providerId || idOf(session.customer) !== providerId || idOf(subscription.customer) !== providerId)
    return "somebody else paid";
  if (session.metadata?.["checkout"] !== checkout.id || subscription.metadata["checkout"] !== checkout.id)
    return "its metadata is foreign";
  const [item, ...others] = subscription.items.data;
  if (item?.price.id !== checkout.planId || others.length > 0 || item.quantity !== 1) return "the price is another";
  return undefined;
}
