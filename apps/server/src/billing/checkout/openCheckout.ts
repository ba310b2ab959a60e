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

const openPerCustomer = 5;
const attempts = 3;

/**
 * Gives the customer the provider's page for what they want to buy. First the name and the promotion are
 * reserved, then the provider is asked, with the reservation's id as key, then its answer is recorded: what
 * is repeated or breaks off in between finds the reservation, and through its key the same session.
 */
export async function openCheckout(
  billing: Billing,
  session: Session,
  planId: string,
  input: CheckoutInput,
): Promise<CheckoutSession> {
  const offer = await billing.catalogue.find(planId);
  if (offer?.product.metadata.recipe_category !== input.category) throw new AppError("error_plan_not_found");

  for (let attempt = 0; attempt < attempts; attempt++) {
    const { checkout, inTheWay } = await billing.db.transaction((tx) => reserve(tx, session, offer, input));
    if (inTheWay) {
      if (await withdraw(billing, inTheWay)) continue;
      // The customer paid it a moment ago, in another tab.
      if (inTheWay.name === input.project_name) throw new AppError("error_name_taken");
      throw new AppError(inTheWay.referrerId && input.promo ? "error_promotion_already_used" : "error_checkout_limit");
    }
    const answer = await askProvider(billing, checkout);
    if (answer) return answer;
  }
  throw new AppError("error_unknown");
}

type Reservation = { checkout: CheckoutRow; inTheWay?: never } | { inTheWay: CheckoutRow; checkout?: never };

/** A new reservation, or the customer's own for the same; or which of theirs has to go first. */
async function reserve(tx: Tx, session: Session, offer: PlanOffer, input: CheckoutInput): Promise<Reservation> {
  // Locked: nobody else counts this customer's checkouts, or claims their promotion, at the same time.
  if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
  const { userId } = session;
  const { recipe } = offer.product.metadata;
  const known = await findOpenCheckout(tx, userId, input.project_name);
  if (known && isForTheSame(known, offer, input)) return { checkout: known };

  const referrerId = input.promo ? await findReferrer(tx, userId, input.promo) : null;
  const claim = referrerId ? await findPromotionClaim(tx, userId) : undefined;
  if (claim && claim.id !== known?.id) {
    if (claim.state !== "open" || !claim.abandonedAt) throw new AppError("error_promotion_already_used");
    return { inTheWay: claim };
  }
  if (known) return { inTheWay: known };
  const open = await findOpenCheckouts(tx, userId);
  if (open.length >= openPerCustomer) {
    const abandoned = open.find(({ abandonedAt }) => abandonedAt);
    if (abandoned) return { inTheWay: abandoned };
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
  // Asked after the name was held: from here on no project can take it.
  const isTaken = isReservedName(input.project_name) || (await isNameTaken(tx, input.project_name));
  if (!checkout || isTaken) throw new AppError("error_name_taken");
  return { checkout };
}

function isForTheSame(checkout: CheckoutRow, offer: PlanOffer, input: CheckoutInput): boolean {
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

/** The checkout's session, new or as it stands; undefined where the reservation turned out to be over. */
async function askProvider(billing: Billing, checkout: CheckoutRow): Promise<CheckoutSession | undefined> {
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

/** Undefined where the provider refuses: then there is no session, and there will be none. */
async function createSession(billing: Billing, checkout: CheckoutRow): Promise<Stripe.Checkout.Session | undefined> {
  const { stripe, config } = billing;
  const customer = await syncCustomer(billing, checkout.userId);
  const coupon = checkout.referrerId ? await ensureReferralCoupon(billing) : undefined;
  const metadata = { checkout: checkout.id };
  try {
    return await stripe.checkout.sessions.create(
      {
        mode: "subscription",
        // Others are paid days later, and a name cannot be held that long.
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
    // The provider repeats its own failure under the same key; whatever it made, nobody has its address.
    if (isFailure(error)) await billing.db.transaction((tx) => releaseCheckout(tx, checkout.id, null));
    if (!isRefusal(error)) throw error;
    billing.log.error({ err: error }, "the provider refused a checkout");
    return undefined;
  }
}

/** Ends one of the customer's own checkouts, at the provider first; false where it was paid a moment ago. */
async function withdraw(billing: Billing, checkout: CheckoutRow): Promise<boolean> {
  const id = checkout.sessionId ?? (await createSession(billing, checkout))?.id;
  const session = id ? await endSession(billing, id) : undefined;
  if (session?.status === "complete") {
    await enqueue(billing.db, syncCheckoutJob, { sessionId: session.id }, idOf(session.customer));
    return false;
  }
  await billing.db.transaction((tx) => releaseCheckout(tx, checkout.id, id ?? null));
  return true;
}

/** A session as it is once nobody can pay it any more, or because somebody has. */
async function endSession({ stripe }: Billing, id: string): Promise<Stripe.Checkout.Session | undefined> {
  const { sessions } = stripe.checkout;
  try {
    return await sessions.expire(id);
  } catch (error) {
    // Only what is open can be expired: it is over already, one way or the other.
    if (!isRefusal(error)) throw error;
    return unlessMissing(sessions.retrieve(id));
  }
}
