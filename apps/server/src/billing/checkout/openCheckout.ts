import { type CheckoutSession, categoryOf, isReservedName, type PlanOffer } from "@nido/contract";
import type { Stripe } from "stripe";
import { findByRefcode } from "../../account/queries.ts";
import { lockOwner, type Session } from "../../auth/sessions.ts";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { AppError } from "../../platform/AppError.ts";
import { isNameTaken } from "../../projects/queries.ts";
import { insertTask } from "../../tasks/queries.ts";
import { type Billing, isFailure, isRefusal, unlessMissing } from "../Billing.ts";
import { syncCustomer } from "../customers/syncCustomer.ts";
import { idOf } from "../idOf.ts";
import { syncCheckoutJob } from "../jobs.ts";
import { findRestorable } from "../restoreProject.ts";
import type { CheckoutInput } from "./checkoutSchema.ts";
import { cancelledPath, successPath } from "./checkoutUrls.ts";
import { ensureReferralCoupon } from "./ensureReferralCoupon.ts";
import {
  type CheckoutRow,
  findOpenCheckout,
  findOpenCheckouts,
  findPromotionClaim,
  insertCheckout,
  recordSession,
  releaseCheckout,
} from "./queries.ts";

const maxOpenCheckouts = 5;
const maxAttempts = 3;

/**
 * Opens the provider's payment page for a plan in three steps: reserve the name and the promotion, create a session at
 * the provider, record the session. The reservation's id is the idempotency key. A repeated call, or one after a crash,
 * therefore finds the same reservation and gets the same session.
 */
export async function openCheckout(
  billing: Billing,
  session: Session,
  planId: string,
  input: CheckoutInput,
): Promise<CheckoutSession> {
  const offer = await billing.catalogue.find(planId);
  if (offer?.product.metadata.recipe_category !== input.category) throw new AppError("error_plan_not_found");

  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { checkout, blocker } = await billing.db.transactionOf(session.userId, (tx) =>
      reserve(tx, session, offer, input),
    );
    if (blocker) {
      if (await withdraw(billing, blocker)) continue;
      // The customer has just paid for the blocking checkout in another tab.
      if (blocker.name === input.project_name) throw new AppError("error_name_taken");
      throw new AppError(blocker.referrerId && input.promo ? "error_promotion_already_used" : "error_checkout_limit");
    }
    const opened = await ensureSession(billing, checkout);
    if (opened) return opened;
  }
  throw new AppError("error_unknown");
}

type Reservation = { checkout: CheckoutRow; blocker?: never } | { blocker: CheckoutRow; checkout?: never };

/**
 * Returns a new reservation, or the customer's open one for the same purchase. A `blocker` is another open checkout of
 * theirs that has to be withdrawn first.
 */
async function reserve(tx: Tx, session: Session, offer: PlanOffer, input: CheckoutInput): Promise<Reservation> {
  // While the lock is held, no other request can add a checkout of this customer or claim their promotion.
  if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
  const { userId } = session;
  const { recipe } = offer.product.metadata;
  const existing = await findOpenCheckout(tx, userId, input.project_name);
  if (existing && isSamePurchase(existing, offer, input)) return { checkout: existing };

  const referrerId = input.promo ? await findReferrer(tx, userId, input.promo) : null;
  const claim = referrerId ? await findPromotionClaim(tx, userId) : undefined;
  if (claim && claim.id !== existing?.id) {
    if (claim.state !== "open" || !claim.abandonedAt) throw new AppError("error_promotion_already_used");
    return { blocker: claim };
  }
  if (existing) return { blocker: existing };
  const open = await findOpenCheckouts(tx, userId);
  if (open.length >= maxOpenCheckouts) {
    const abandoned = open.find(({ abandonedAt }) => abandonedAt);
    if (abandoned) return { blocker: abandoned };
    throw new AppError("error_checkout_limit");
  }

  const taskId =
    categoryOf(recipe) === "wordpress" ? await insertTask(tx, userId, { state: "pending", progress: [] }) : null;
  const checkout = await insertCheckout(tx, {
    userId,
    name: input.project_name,
    planId: offer.plan.id,
    recipeId: offer.product.id,
    recipe,
    username: input.username,
    locale: input.locale,
    promo: input.promo,
    referrerId,
    taskId,
  });
  // Checked after the insert: from then on the reservation keeps other projects from taking the name.
  // A customer can buy a plan for a project that they deleted, which brings it back.
  const isTaken =
    isReservedName(input.project_name) ||
    ((await isNameTaken(tx, input.project_name)) && !(checkout && (await findRestorable(tx, checkout))));
  if (!checkout || isTaken) throw new AppError("error_name_taken");
  return { checkout };
}

function isSamePurchase(checkout: CheckoutRow, offer: PlanOffer, input: CheckoutInput): boolean {
  return (
    checkout.planId === offer.plan.id &&
    checkout.username === input.username &&
    checkout.promo === input.promo &&
    checkout.locale === input.locale
  );
}

async function findReferrer(tx: Tx, userId: string, promo: string): Promise<string> {
  const referrer = await findByRefcode(tx, promo);
  if (!referrer) throw new AppError("error_promotion_unknown");
  if (referrer.id === userId) throw new AppError("error_promotion_own");
  return referrer.id;
}

/** Returns the checkout's session, and creates it if there is none; undefined if the reservation is over. */
async function ensureSession(billing: Billing, checkout: CheckoutRow): Promise<CheckoutSession | undefined> {
  const { db, stripe, config } = billing;
  const session = checkout.sessionId
    ? await unlessMissing(stripe.checkout.sessions.retrieve(checkout.sessionId))
    : await createSession(billing, checkout);
  if (session?.status === "complete") {
    await enqueue(db, syncCheckoutJob, { sessionId: session.id }, idOf(session.customer));
    return { id: session.id, url: new URL(successPath(checkout), config.APP_URL).href };
  }
  if (session?.status === "open" && session.url && (await recordSession(db, checkout.id, session.id, session.url)))
    return { id: session.id, url: session.url };
  if (session?.status !== "open")
    await db.transaction((tx) => releaseCheckout(tx, checkout.id, session?.id ?? checkout.sessionId));
  return undefined;
}

/** Undefined if the provider rejects the request: then there is no session, and a retry would not create one. */
async function createSession(billing: Billing, checkout: CheckoutRow): Promise<Stripe.Checkout.Session | undefined> {
  const { stripe, config } = billing;
  const customer = await syncCustomer(billing, checkout.userId);
  const coupon = checkout.referrerId ? await ensureReferralCoupon(billing) : undefined;
  const metadata = { checkout: checkout.id };
  try {
    return await stripe.checkout.sessions.create(
      {
        mode: "subscription",
        // Other payment methods can take days, and a name cannot be reserved for that long.
        allowed_payment_method_types: ["card"],
        customer,
        line_items: [{ price: checkout.planId, quantity: 1 }],
        ...(coupon && { discounts: [{ coupon }] }),
        locale: checkout.locale,
        client_reference_id: checkout.id,
        metadata,
        subscription_data: { metadata },
        success_url: new URL(successPath(checkout), config.APP_URL).href,
        cancel_url: new URL(cancelledPath(checkout.id), config.APP_URL).href,
        expires_at: checkout.expiresAt.getTime() / 1000,
        ...(config.STRIPE_AUTOMATIC_TAX && { automatic_tax: { enabled: true } }),
        ...(config.STRIPE_TAX_ID_COLLECTION && { tax_id_collection: { enabled: true } }),
        ...((config.STRIPE_AUTOMATIC_TAX || config.STRIPE_TAX_ID_COLLECTION) && {
          customer_update: { address: "auto", name: "auto" },
        }),
      },
      { idempotencyKey: `checkout-${checkout.id}` },
    );
  } catch (error) {
    // Retries would get the same 5xx, so the reservation is useless. If a session was created, nobody has its URL.
    if (isFailure(error)) await billing.db.transaction((tx) => releaseCheckout(tx, checkout.id, null));
    if (!isRefusal(error)) throw error;
    billing.log.error({ err: error, checkout: checkout.id }, "the provider rejected a checkout session");
    return undefined;
  }
}

/** Ends all open checkouts of a customer. One that has just been paid is refused by `fulfilCheckout`. */
export async function withdrawCheckouts(billing: Billing, userId: string) {
  const open = await billing.db.transaction((tx) => findOpenCheckouts(tx, userId));
  for (const checkout of open) await withdraw(billing, checkout);
}

/** Ends one of the customer's checkouts, at the provider first; false if it has just been paid. */
async function withdraw(billing: Billing, checkout: CheckoutRow): Promise<boolean> {
  // If no session is recorded, the idempotency key returns the one that an interrupted call may have created.
  const id = checkout.sessionId ?? (await createSession(billing, checkout))?.id;
  const session = id ? await endSession(billing, id) : undefined;
  if (session?.status === "complete") {
    await enqueue(billing.db, syncCheckoutJob, { sessionId: session.id }, idOf(session.customer));
    return false;
  }
  await billing.db.transaction((tx) => releaseCheckout(tx, checkout.id, id ?? null));
  return true;
}

/** Expires a session and returns it. One that is complete or expired already is returned unchanged. */
async function endSession({ stripe }: Billing, id: string): Promise<Stripe.Checkout.Session | undefined> {
  const { sessions } = stripe.checkout;
  try {
    return await sessions.expire(id);
  } catch (error) {
    // The provider expires only open sessions, so this one is complete or expired.
    if (!isRefusal(error)) throw error;
    return unlessMissing(sessions.retrieve(id));
  }
}
