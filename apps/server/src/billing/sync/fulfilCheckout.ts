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
import { type Claims, claimKind } from "../checkout/claimsOf.ts";
import { type CheckoutRow, findCheckout, findClaim, recordPurchase, releaseCheckout } from "../checkout/queries.ts";
import { idOf } from "../idOf.ts";
import { syncInvoiceJob } from "../jobs.ts";
import { insertSubscription } from "../queries.ts";
import { oweRefund, type Purchase } from "../refunds/oweRefund.ts";
import { isRefunded } from "../refunds/queries.ts";
import { findRestorable, restorePurchased } from "../restoreProject.ts";
import { awaitPayment } from "./awaitPayment.ts";
import { isOver } from "./isOver.ts";
import { termsOf } from "./termsOf.ts";

/**
 * Creates the project of a paid checkout, after comparing the purchase with the reservation. The project, the
 * subscription and the end of the reservation are one transaction. Unique indexes keep it from happening twice.
 */
export async function fulfilCheckout(billing: Billing, subscription: Stripe.Subscription) {
  const { db, stripe } = billing;
  const { data: sessions } = await stripe.checkout.sessions.list({ subscription: subscription.id, limit: 1 });
  const [session] = sessions;
  const reserved = session && (await findCheckout(db, session.client_reference_id ?? ""));
  if (!session || !reserved) return; // not bought through this dashboard
  if (session.status !== "complete") return; // not paid yet
  if (!isPaid(session)) return awaitPayment(billing, subscription, session, reserved);
  const { data: bought } = await stripe.checkout.sessions.listLineItems(session.id, { limit: 2 });

  await db.transaction(async (tx) => {
    await lockUser(tx, reserved.userId);
    const checkout = await findCheckout(tx, reserved.id);
    const user = await findUser(tx, reserved.userId);
    // A purchase that is refunded stays refunded, even if its name has become free again.
    if (!checkout || !user || checkout.subId === subscription.id || (await isRefunded(tx, subscription.id))) return;
    const archived = await findRestorable(tx, checkout);
    const reason =
      findRefusalReason(subscription, session, bought, checkout, user.providerId) ??
      (!archived && (await isNameTaken(tx, checkout.name)) ? "its name was already taken" : undefined) ??
      (user.closedAt ? "the account was closed" : undefined);
    if (reason) return refuse(tx, billing, { subscription, session, checkout, reason });

    const { userId } = checkout;
    await insertSubscription(tx, { id: subscription.id, userId, ...termsOf(subscription) });
    const claims = await claimsLeft(tx, checkout);
    await recordPurchase(tx, checkout.id, { sessionId: session.id, subId: subscription.id, ...claims });
    if (archived) await restorePurchased(tx, archived, checkout, subscription.id);
    else await createProject(tx, billing, checkout, subscription.id);
    // If the invoice's event came before the purchase was recorded, it could not record the referral earning.
    const invoiceId = idOf(subscription.latest_invoice);
    if (invoiceId) await enqueue(tx, syncInvoiceJob, { invoiceId }, idOf(subscription.customer));
    await announceChange(tx, user.id);
  });
}

/** Ends a purchase that cannot be fulfilled. What was paid for it is refunded by a job. */
async function refuse(tx: Tx, { log }: Billing, purchase: Purchase & { checkout: CheckoutRow }) {
  const { subscription, session, checkout, reason } = purchase;
  log.warn({ subId: subscription.id, checkout: checkout.id }, `a purchase cannot be fulfilled: ${reason}`);
  await releaseCheckout(tx, checkout.id, session.id);
  if (!isOver(subscription)) await requestUpdate(tx, subscription.id, "now");
  if (isPaid(session)) await oweRefund(tx, purchase);
}

/** The claims of a checkout. If it is paid after it expired, another one may have claimed the same meanwhile. */
async function claimsLeft(tx: Tx, checkout: CheckoutRow): Promise<Omit<Claims, "promotionCode">> {
  const { referrerId, firstPurchase, trialDays } = checkout;
  const kind = checkout.state === "expired" ? claimKind(checkout) : undefined;
  const isTaken = kind && (await findClaim(tx, checkout.userId, kind));
  return isTaken
    ? { referrerId: null, firstPurchase: false, trialDays: null }
    : { referrerId, firstPurchase, trialDays };
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
  bought: Stripe.LineItem[],
  checkout: CheckoutRow,
  providerId: string | null,
): string | undefined {
  if (checkout.state === "paid") return "the checkout was already paid";
  if (isOver(subscription)) return `the subscription is ${subscription.status}`;
  if (checkout.sessionId !== null && checkout.sessionId !== session.id) return "the checkout has another session";
  if (!providerId || idOf(session.customer) !== providerId || idOf(subscription.customer) !== providerId)
    return "the customer at the provider is not the buyer";
  if (session.metadata?.["checkout"] !== checkout.id || subscription.metadata["checkout"] !== checkout.id)
    return "the metadata names another checkout";
  // The subscription may have another price by now, if the customer changed the plan in the provider's portal.
  const [item, ...others] = bought;
  if (item?.price?.id !== checkout.planId || others.length > 0 || item.quantity !== 1)
    return "the price or the quantity differs";
  return undefined;
}
