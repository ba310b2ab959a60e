import { type PaymentMethod, type PlanChangeResult, takesDays } from "@nido/contract";
import type { Stripe } from "stripe";
import { lockOwner, type Session } from "../../auth/sessions.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { AppError } from "../../platform/AppError.ts";
import { type Billing, isRefusal } from "../Billing.ts";
import { idOf } from "../idOf.ts";
import { syncSubscriptionJob } from "../jobs.ts";
import { updateSubscription } from "../queries.ts";
import { syncSubscription } from "../sync/syncSubscription.ts";
import { itemOf } from "./quotePlanChange.ts";
import { requireChangeable } from "./requireChangeable.ts";

/** A quote counts for this time, in seconds. Until then its amounts are the ones that are billed. */
const maxQuoteAge = 15 * 60;

type LatestInvoice = Stripe.Subscription["latest_invoice"];

interface Change {
  plan: string;
  /** the moment of the quote, as from which the difference is billed */
  at: number;
}

/**
 * Changes the plan at the provider, which bills the difference, and applies it here. A repeated call, or one after a
 * crash, has the same idempotency key, so it changes and bills nothing twice. A difference that cannot be paid leaves the
 * old plan until the customer pays it on the provider's page.
 */
export async function changePlan(
  billing: Billing,
  session: Session,
  projectId: string,
  { plan, at }: Change,
): Promise<PlanChangeResult> {
  const { db, catalogue } = billing;
  if (Date.now() / 1000 - at > maxQuoteAge) throw new AppError("error_plan_quote_outdated");
  const offer = await catalogue.find(plan);
  if (!offer) throw new AppError("error_plan_not_found");
  const { id } = await db.transactionOf(session.userId, async (tx) => {
    if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
    const subscription = await requireChangeable(tx, session.userId, projectId, offer);
    await updateSubscription(tx, subscription.id, { requestedPlanId: plan });
    return subscription;
  });

  const changed = await update(billing, id, { plan, at }).catch(async (error) => {
    if (!isRefusal(error)) throw error;
    await updateSubscription(db, id, { requestedPlanId: null });
    throw (await catalogue.isForSale(plan)) ? error : new AppError("error_plan_not_found");
  });
  await syncSubscription(billing, id);
  // A job of the customer may have read the subscription before the change: it is read again behind all of them.
  await enqueue(db, syncSubscriptionJob, { subId: id }, idOf(changed.customer));
  if (!changed.pending_update) return { state: "changed" };
  const invoice = changed.latest_invoice;
  const url = (typeof invoice === "object" && invoice?.hosted_invoice_url) || undefined;
  return { state: "unpaid", ...(url && { url }) };
}

async function update({ stripe }: Billing, subId: string, { plan, at }: Change): Promise<Stripe.Subscription> {
  const known = await stripe.subscriptions.retrieve(subId, { expand: ["latest_invoice", "default_payment_method"] });
  const item = itemOf(known);
  if (item.price.id === plan) return known;
  if (!isAcceptable(at, item, known.latest_invoice)) throw new AppError("error_plan_quote_outdated");
  return stripe.subscriptions.update(
    subId,
    {
      items: [{ id: item.id, price: plan }],
      proration_behavior: "always_invoice",
      proration_date: Math.max(at, item.current_period_start),
      payment_behavior: isPaidLater(known) ? "allow_incomplete" : "pending_if_incomplete",
      expand: ["latest_invoice"],
    },
    // The latest invoice is another one after every change.
    { idempotencyKey: `plan-${subId}-${idOf(known.latest_invoice)}-${plan}-${at}` },
  );
}

/**
 * Whether a change can be billed as at a moment. Not at one to come, when less is left of the period; and not before the
 * last change, which would give back what was never paid.
 */
function isAcceptable(at: number, { current_period_start: start }: Stripe.SubscriptionItem, latest: LatestInvoice) {
  const isChange = typeof latest === "object" && latest?.billing_reason === "subscription_update";
  return at <= Math.max(Date.now() / 1000 + 1, start) && !(isChange && at < latest.created);
}

/** By a method that takes days, for longer than a change can wait. The plan changes at once, as it is renewed. */
function isPaidLater({ default_payment_method: method }: Stripe.Subscription): boolean {
  return typeof method === "object" && method !== null && takesDays(method.type as PaymentMethod);
}
