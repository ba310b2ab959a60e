import { categoryOf } from "@nido/contract";
import type { Stripe } from "stripe";
import { findUser, lockUser } from "../../account/queries.ts";
import { customer, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { insertProject, isNameTaken } from "../../projects/queries.ts";
import { updateTask } from "../../tasks/queries.ts";
import { provisionWordPressJob } from "../../wordpress/jobs.ts";
import type { Billing } from "../Billing.ts";
import { requestUpdate } from "../cancelSubscription.ts";
import {
  type CheckoutRow,
  findCheckout,
  findPromotionClaim,
  recordPurchase,
  releaseCheckout,
} from "../checkout/queries.ts";
import { idOf } from "../idOf.ts";
import { syncInvoiceJob } from "../jobs.ts";
import { insertSubscription } from "../queries.ts";
import { findRestorable, restorePurchased } from "../restoreProject.ts";
import { isOver } from "./isOver.ts";
import { termsOf } from "./termsOf.ts";

/**
 * Creates the project of a paid checkout, after comparing the purchase with the reservation. The project, the
 * subscription and the end of the reservation are one transaction. Unique indexes keep it from happening twice.
 */
export async function fulfilCheckout(billing: Billing, subscription: Stripe.Subscription) {
  const { db, stripe, log } = billing;
  const { data: sessions } = await stripe.checkout.sessions.list({ subscription: subscription.id, limit: 1 });
  const [session] = sessions;
  const reserved = session && (await findCheckout(db, session.client_reference_id ?? ""));
  if (!session || !reserved) return; // not bought through this dashboard
  if (session.status !== "complete" || (!isPaid(session) && !isOver(subscription))) return; // not paid yet

  await db.transaction(async (tx) => {
    await lockUser(tx, reserved.userId);
    const checkout = await findCheckout(tx, reserved.id);
    const user = await findUser(tx, reserved.userId);
    if (!checkout || !user || checkout.state === "paid") return;
    const purchase = { subId: subscription.id, checkout: checkout.id };
    const reason = findRefusalReason(subscription, session, checkout, user.providerId);
    if (reason) {
      log.error(purchase, `a purchase was refused: ${reason}`);
      return releaseCheckout(tx, checkout.id, session.id);
    }
    const archived = await findRestorable(tx, checkout);
    const isTaken = !archived && (await isNameTaken(tx, checkout.name));
    if (isTaken || user.closedAt) {
      const why = isTaken ? "its name was already taken" : "the account was closed";
      log.error(purchase, `a purchase is owed a refund: ${why}`);
      await requestUpdate(tx, subscription.id, "now");
      return releaseCheckout(tx, checkout.id, session.id);
    }

    const referrerId = await recordTerms(tx, checkout, subscription);
    await recordPurchase(tx, checkout.id, { sessionId: session.id, subId: subscription.id, referrerId });
    if (archived) await restorePurchased(tx, archived, checkout, subscription.id);
    else await createProject(tx, billing, checkout, subscription.id);
    // If the invoice's event came before the purchase was recorded, it could not record the referral earning.
    const invoiceId = idOf(subscription.latest_invoice);
    if (invoiceId) await enqueue(tx, syncInvoiceJob, { invoiceId }, idOf(subscription.customer));
    await announceChange(tx, user.id);
  });
}

/** Records the subscription. Returns the referrer who earns from it. */
async function recordTerms(tx: Tx, checkout: CheckoutRow, subscription: Stripe.Subscription): Promise<string | null> {
  const { userId } = checkout;
  await insertSubscription(tx, { id: subscription.id, userId, ...termsOf(subscription) });
  // If an expired checkout is paid after all, another one may have claimed the promotion meanwhile.
  const claim = checkout.state === "expired" ? await findPromotionClaim(tx, userId) : undefined;
  return claim ? null : checkout.referrerId;
}

/** Creates the project, and queues the installation of its WordPress. */
async function createProject(tx: Tx, { config }: Billing, checkout: CheckoutRow, subId: string) {
  const { userId, name, recipe, recipeId, taskId, username, locale } = checkout;
  const status = categoryOf(recipe) === "static" ? "active" : "provisioning";
  const projectId = await insertProject(tx, { userId, name, recipe, recipeId, subId, status });
  if (!projectId) throw new Error(`the name ${name} was taken by a concurrent purchase`);
  await record(tx, userId, customer, { kind: "projectBought", params: { project: name }, projectId });

  if (status === "active") {
    const url = `${config.APP_URL.protocol}//${name}.${config.SITES_DOMAIN}`;
    await mailCustomer(tx, userId, "siteReady", { projectId, name, url, category: "static" });
  }
  if (taskId) {
    // When a checkout expires, its task fails. If it is paid after all, the task starts again.
    await updateTask(tx, taskId, { state: "pending", progress: [] });
    await enqueue(tx, provisionWordPressJob, { projectId, taskId, username, lang: locale });
  }
}

function isPaid({ payment_status: status }: Stripe.Checkout.Session): boolean {
  return status === "paid" || status === "no_payment_required";
}

/** Why a purchase must be refused; undefined if it matches its reservation. */
function findRefusalReason(
  subscription: Stripe.Subscription,
  session: Stripe.Checkout.Session,
  checkout: CheckoutRow,
  providerId: string | null,
): string | undefined {
  if (isOver(subscription)) return `the subscription is ${subscription.status}`;
  if (checkout.sessionId !== null && checkout.sessionId !== session.id) return "the checkout has another session";
  if (!providerId || idOf(session.customer) !== providerId || idOf(subscription.customer) !== providerId)
    return "the customer at the provider is not the buyer";
  if (session.metadata?.["checkout"] !== checkout.id || subscription.metadata["checkout"] !== checkout.id)
    return "the metadata names another checkout";
  const [item, ...others] = subscription.items.data;
  if (item?.price.id !== checkout.planId || others.length > 0 || item.quantity !== 1)
    return "the price or the quantity differs";
  return undefined;
}
