import { categoryOf } from "@nido/contract";
import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import { customer, platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import type { subscriptions } from "../../db/schema.ts";
import { archiveProjectOf, findProjectOf, setPurchase } from "../../projects/queries.ts";
import { requestPlan } from "../../wordpress/requestPlan.ts";
import { type Billing, unlessMissing } from "../Billing.ts";
import { requestUpdate } from "../cancelSubscription.ts";
import { toOffer } from "../catalogue/Catalogue.ts";
import { findSubscription, hasUpdate, setCancelled, updateSubscription } from "../queries.ts";
import { mailTakeDown, takeDownEntry, takeDownProject } from "../takeDownProject.ts";
import { findPaymentStep, type PaymentStep } from "./findPaymentStep.ts";
import { fulfilCheckout } from "./fulfilCheckout.ts";
import { isOver, isOwed, willEnd } from "./isOver.ts";
import { remindOfPayment } from "./remindOfPayment.ts";
import { resume } from "./resume.ts";
import { suspendIfOverdue } from "./suspendOverdue.ts";
import { termsOf } from "./termsOf.ts";
import { voidInvoices } from "./voidInvoices.ts";

/** Updates a subscription and its project from the provider. A new subscription fulfils its checkout. */
export async function syncSubscription(billing: Billing, subId: string) {
  const expand = ["items.data.price.product", "latest_invoice"];
  const subscription = await unlessMissing(billing.stripe.subscriptions.retrieve(subId, { expand }));
  if (!subscription) return billing.log.error({ subId }, "a subscription does not exist at the provider");

  const known = await findSubscription(billing.db, subId);
  if (!known) await fulfilCheckout(billing, subscription);
  else if (isOver(subscription) && !known.endedAt) await voidInvoices(billing, subId);
  await update(billing, subscription, await findStep(billing, subscription));
  if (isOwed(subscription)) await suspendOwner(billing, subId);
}

async function suspendOwner({ db, config }: Billing, subId: string) {
  await db.transaction(async (tx) => {
    const project = await findProjectOf(tx, subId);
    if (project) await suspendIfOverdue(tx, project, config.GRACE_DAYS);
  });
}

/** Undefined if the payment was not tried, or if it is not known: the latest invoice is not the one that is owed. */
async function findStep(billing: Billing, subscription: Stripe.Subscription): Promise<PaymentStep | undefined> {
  const invoice = isOwed(subscription) ? openInvoiceOf(subscription) : undefined;
  return invoice?.id ? findPaymentStep(billing, invoice.id) : undefined;
}

async function update({ db, config }: Billing, subscription: Stripe.Subscription, step: PaymentStep | undefined) {
  await db.transaction(async (tx) => {
    const owner = await findSubscription(tx, subscription.id);
    if (!owner) return; // not bought through this dashboard
    await lockUser(tx, owner.userId);
    const known = await findSubscription(tx, subscription.id);
    if (!known || known.endedAt) return; // an ended subscription does not come back

    if (isOver(subscription)) {
      const endedAt = subscription.ended_at ? new Date(subscription.ended_at * 1000) : new Date();
      await updateSubscription(tx, known.id, { endedAt });
      await setCancelled(tx, known.id);
      const project = await archiveProjectOf(tx, known.id);
      if (project) {
        await takeDownProject(tx, project);
        await mailTakeDown(tx, project);
        await record(tx, known.userId, platform, takeDownEntry("projectEnded", project, true));
      }
    } else {
      const debt = isOwed(subscription) ? debtOf(subscription, known, step) : noDebt;
      // Until the provider has been told, what was decided here counts.
      const cancelAtPeriodEnd = (await hasUpdate(tx, known.id)) ? known.cancelAtPeriodEnd : willEnd(subscription);
      if (cancelAtPeriodEnd !== known.cancelAtPeriodEnd) await recordRenewal(tx, known, cancelAtPeriodEnd);
      await updateSubscription(tx, known.id, {
        ...termsOf(subscription, known),
        cancelAtPeriodEnd,
        ...debt,
      });
      await followPlan(tx, subscription, known);
      // The customer deleted the project, but something at the provider would still be charged.
      const isCollected = !cancelAtPeriodEnd || debt !== noDebt;
      if (known.cancelledAt && isCollected && !(await hasUpdate(tx, known.id)))
        await requestUpdate(tx, known.id, "withPeriod");
      if (debt === noDebt) await resume(tx, config, known.id, "restored");
      else await remindOfPayment(tx, config, { ...known, ...debt });
    }
    await announceChange(tx, known.userId);
  });
}

/**
 * Applies a change of the plan, made here or at the provider, for example in its portal. The new limits take effect when
 * the site's PHP next starts, which the change itself causes.
 */
async function followPlan(
  tx: Tx,
  { id, items }: Stripe.Subscription,
  known: Pick<SubscriptionRow, "interval" | "requestedPlanId">,
) {
  const project = await findProjectOf(tx, id);
  const offer = items.data[0] && toOffer(items.data[0].price);
  if (!project || !offer) return;
  const { id: recipeId, metadata } = offer.product;
  const isRequested = offer.plan.id === known.requestedPlanId;
  if (isRequested) await updateSubscription(tx, id, { requestedPlanId: null });
  if (categoryOf(project.recipe) !== metadata.recipe_category) return;
  if (project.recipeId !== recipeId)
    await setPurchase(tx, project.id, { subId: id, recipe: metadata.recipe, recipeId });
  if (project.recipe !== metadata.recipe) await requestPlan(tx, project.id);
  const { interval } = offer.plan;
  if (project.recipe === metadata.recipe && known.interval === interval) return;
  const params = { project: project.name, recipe: metadata.recipe, interval };
  await record(tx, project.userId, isRequested ? customer : platform, {
    kind: "planChanged",
    params,
    projectId: project.id,
  });
}

/** The customer cancelled the renewal at the provider, or resumed it. */
async function recordRenewal(tx: Tx, { id, userId }: { id: string; userId: string }, isCancelled: boolean) {
  const project = await findProjectOf(tx, id);
  if (!project) return;
  const kind = isCancelled ? "renewalCancelled" : "renewalResumed";
  await record(tx, userId, platform, { kind, params: { project: project.name }, projectId: project.id });
}

const noDebt = { pastDueSince: null, owedAmount: null, payUrl: null, paymentStep: null };

type SubscriptionRow = typeof subscriptions.$inferSelect;
type Debt = Pick<SubscriptionRow, keyof typeof noDebt>;

/** The latest invoice may be a paid one for a change of the plan, or a draft. Then the known one is still owed. */
function debtOf(subscription: Stripe.Subscription, known: Debt, step: PaymentStep | undefined): Debt {
  const pastDueSince = known.pastDueSince ?? new Date();
  const invoice = openInvoiceOf(subscription);
  if (!invoice)
    return { pastDueSince, owedAmount: known.owedAmount, payUrl: known.payUrl, paymentStep: known.paymentStep };
  return {
    pastDueSince,
    owedAmount: invoice.amount_remaining,
    payUrl: invoice.hosted_invoice_url ?? null,
    paymentStep: step ?? null,
  };
}

function openInvoiceOf({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | undefined {
  return typeof invoice === "object" && invoice?.status === "open" ? invoice : undefined;
}
