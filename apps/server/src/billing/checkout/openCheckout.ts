import { type CheckoutSession, categoryOf, type ErrorKey, isReservedName, type PlanOffer } from "@nido/contract";
import type { Stripe } from "stripe";
import { lockOwner, type Session } from "../../auth/sessions.ts";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { AppError } from "../../platform/AppError.ts";
import { isNameTaken } from "../../projects/queries.ts";
import { insertTask } from "../../tasks/queries.ts";
import { type Billing, isFailure, isKeyConflict, isRefusal, unlessMissing } from "../Billing.ts";
import { findCurrency } from "../catalogue/findCurrency.ts";
import { type Coupon, findCoupon } from "../coupons/findCoupon.ts";
import { syncCustomer } from "../customers/syncCustomer.ts";
import { idOf } from "../idOf.ts";
import { syncCheckoutJob } from "../jobs.ts";
import { findRestorable } from "../restoreProject.ts";
import type { CheckoutInput } from "./checkoutSchema.ts";
import { cancelledPath, successPath } from "./checkoutUrls.ts";
import { type Claims, claimKind, claimsOf } from "./claimsOf.ts";
import { discountOf, explainDiscount } from "./discountOf.ts";
import { findPaymentMethods } from "./findPaymentMethods.ts";
import {
  type CheckoutRow,
  findClaim,
  findHeldCheckout,
  findHeldCheckouts,
  insertCheckout,
  recordSession,
  releaseCheckout,
} from "./queries.ts";
import { trialOf } from "./trialOf.ts";

const maxOpenCheckouts = 5;
const maxAttempts = 3;
/** After this time the request that opens a payment page has ended, with or without an answer. */
const maxOpeningMs = 60_000;

/**
 * Opens the provider's payment page for a plan in three steps: reserve the name and the discount or trial, create a session at
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
  const currency = await findCurrency(billing.db, session.userId);
  if (currency && currency !== offer.plan.currency) throw new AppError("error_plan_currency");

  const coupon = await findCoupon(billing, session.userId, input.promo);
  let failure: ErrorKey = "error_payment_unavailable";
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const { checkout, blocker, reason } = await billing.db.transactionOf(session.userId, (tx) =>
      reserve(tx, session, offer, input, coupon),
    );
    if (blocker) {
      // Other windows may claim the trial again and again.
      if (reason === "error_trial_busy") failure = reason;
      // Nobody would have it if the last attempt withdrew theirs.
      if (attempt === maxAttempts) break;
      if (await withdraw(billing, blocker)) continue;
      // The customer has just paid for the blocking checkout in another tab.
      throw new AppError(reason);
    }
    const opened = await ensureSession(billing, checkout).catch((error) => explainRefusal(billing, checkout, error));
    if (opened) return opened;
  }
  throw new AppError(failure);
}

type Reservation =
  | { checkout: CheckoutRow; blocker?: never; reason?: never }
  | { blocker: CheckoutRow; reason: ErrorKey; checkout?: never };

/**
 * Returns a new reservation, or the customer's open one for the same purchase. A `blocker` is another open checkout of
 * theirs that has to be withdrawn first, and the `reason` to refuse this one if it cannot be.
 */
async function reserve(
  tx: Tx,
  session: Session,
  offer: PlanOffer,
  input: CheckoutInput,
  coupon: Coupon | undefined,
): Promise<Reservation> {
  // While the lock is held, no other request can add a checkout of this customer or claim what they can have once.
  if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
  const { userId } = session;
  const { recipe } = offer.product.metadata;
  const existing = await findHeldCheckout(tx, userId, input.project_name);
  if (existing && isSamePurchase(existing, offer, input)) return { checkout: existing };
  if (existing?.state === "processing") throw new AppError("error_purchase_processing");

  const claims = await claimsOf(tx, userId, offer, input.promo, coupon);
  const blocker = await findRival(tx, userId, claims, existing);
  if (blocker) return blocker;
  if (existing) return { blocker: existing, reason: "error_name_taken" };
  const held = await findHeldCheckouts(tx, userId);
  if (held.length >= maxOpenCheckouts) {
    const abandoned = held.find(({ state, abandonedAt }) => state === "open" && abandonedAt);
    if (abandoned) return { blocker: abandoned, reason: "error_checkout_limit" };
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
    ...claims,
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

/** Another checkout that claims what the customer can have only once. Throws if it has the better claim. */
async function findRival(tx: Tx, userId: string, claims: Claims, existing: CheckoutRow | undefined) {
  const kind = claimKind(claims);
  const rival = kind && (await findClaim(tx, userId, kind));
  if (!rival || rival.id === existing?.id) return undefined;
  const reason = kind === "trial" ? "error_trial_busy" : "error_promotion_already_used";
  // Every plan may have a trial, so it goes to the newest purchase. Otherwise a closed payment page would keep the
  // customer from buying. One that is being opened is left alone: two of them would withdraw each other.
  const isOpened = rival.sessionId !== null || rival.createdAt.getTime() < Date.now() - maxOpeningMs;
  const isGivenUp = rival.abandonedAt !== null || (kind === "trial" && isOpened);
  if (rival.state !== "open" || !isGivenUp) throw new AppError(reason);
  return { blocker: rival, reason } as const;
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

/** If the provider refuses or fails with a 5xx, the reservation is released: its key would get the same answer again. */
async function createSession(billing: Billing, checkout: CheckoutRow): Promise<Stripe.Checkout.Session> {
  const { stripe, config } = billing;
  const customer = await syncCustomer(billing, checkout.userId);
  if (!customer) throw new AppError("error_signed_out");
  const discount = await discountOf(billing, checkout);
  const methods = await findPaymentMethods(billing, checkout.userId);
  const metadata = { checkout: checkout.id };
  try {
    return await stripe.checkout.sessions.create(
      {
        mode: "subscription",
        allowed_payment_method_types: methods,
        customer,
        line_items: [{ price: checkout.planId, quantity: 1 }],
        ...(discount && { discounts: [discount] }),
        locale: checkout.locale,
        client_reference_id: checkout.id,
        metadata,
        subscription_data: { metadata, ...trialOf(checkout) },
        // For a trial, too.
        payment_method_collection: "always",
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
    // If a 5xx nevertheless created a session, nobody has its URL.
    if (isFailure(error) || isRefusal(error))
      await billing.db.transaction((tx) => releaseCheckout(tx, checkout.id, null));
    throw error;
  }
}

/** Returns undefined if a new reservation may succeed. Otherwise throws the error for the customer. */
async function explainRefusal(billing: Billing, checkout: CheckoutRow, error: unknown): Promise<undefined> {
  // The request has changed since the reservation was made. A new reservation has a new idempotency key.
  if (isKeyConflict(error)) return undefined;
  if (!isRefusal(error)) throw error;
  // The customer has a credit in another currency, for example. The provider has no code for it.
  if (/cannot combine currencies/.test(error.message)) throw new AppError("error_plan_currency");
  if (!(await billing.catalogue.isForSale(checkout.planId))) throw new AppError("error_plan_not_found");
  const reason = await explainDiscount(billing, checkout, error);
  throw reason ? new AppError(reason) : error;
}

/** Ends all open checkouts of a customer. One that has just been paid is refused by `fulfilCheckout`. */
export async function withdrawCheckouts(billing: Billing, userId: string) {
  const held = await billing.db.transaction((tx) => findHeldCheckouts(tx, userId));
  for (const checkout of held) await withdraw(billing, checkout);
}

/** Ends one of the customer's checkouts, at the provider first; false if it has just been paid. */
async function withdraw(billing: Billing, checkout: CheckoutRow): Promise<boolean> {
  // If no session is recorded, the idempotency key returns the one that an interrupted call may have created.
  const id = checkout.sessionId ?? (await createSession(billing, checkout).catch(unlessRefused))?.id;
  const session = id ? await endSession(billing, id) : undefined;
  if (session?.status === "complete") {
    await enqueue(billing.db, syncCheckoutJob, { sessionId: session.id }, idOf(session.customer));
    return false;
  }
  await billing.db.transaction((tx) => releaseCheckout(tx, checkout.id, id ?? null));
  return true;
}

function unlessRefused(error: unknown): undefined {
  if (!isRefusal(error)) throw error;
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
