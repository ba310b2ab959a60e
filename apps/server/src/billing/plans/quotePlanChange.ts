import type { PlanQuote } from "@nido/contract";
import type { Stripe } from "stripe";
import { AppError } from "../../platform/AppError.ts";
import type { Billing } from "../Billing.ts";
import { vatOf } from "../vatOf.ts";
import { requireChangeable } from "./requireChangeable.ts";

/** What a change of the plan would cost, as the provider calculates it. */
export async function quotePlanChange(
  billing: Billing,
  userId: string,
  projectId: string,
  planId: string,
): Promise<PlanQuote> {
  const { db, stripe, catalogue } = billing;
  const offer = await catalogue.find(planId);
  if (!offer) throw new AppError("error_plan_not_found");
  const { id: subscription } = await db.transaction((tx) => requireChangeable(tx, userId, projectId, offer));
  const current = await stripe.subscriptions.retrieve(subscription);
  const item = itemOf(current);
  if (item.price.id === planId) throw new AppError("error_plan_same");

  // Not before the period: a subscription that has just been bought may begin a second later than our clock says.
  const at = Math.max(Math.floor(Date.now() / 1000), item.current_period_start);
  const items = [{ id: item.id, price: planId }];
  const [change, regular] = await Promise.all([
    stripe.invoices.createPreview({
      subscription,
      subscription_details: { items, proration_behavior: "always_invoice", proration_date: at },
    }),
    stripe.invoices.createPreview({ subscription, subscription_details: { items, proration_behavior: "none" } }),
  ]);
  // Another interval begins a new period at once, except in a trial.
  const isNewPeriod = item.price.recurring?.interval !== offer.plan.interval && current.status !== "trialing";
  const nextAt = (isNewPeriod && regular.lines.data[0]?.period.end) || item.current_period_end;
  const balance = Math.max(0, -(change.starting_balance + change.total));
  return {
    plan: planId,
    at,
    currency: change.currency,
    credited: -sum(change.lines.data.filter(({ amount }) => amount < 0)),
    charged: sum(change.lines.data.filter(({ amount }) => amount >= 0)),
    vat: vatOf(change),
    total: change.total,
    due: change.amount_due,
    balance,
    next: {
      at: new Date(nextAt * 1000).toISOString(),
      total: regular.total,
      vat: vatOf(regular),
      due: Math.max(0, regular.total - balance),
    },
  };
}

export function itemOf({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data;
  if (!item) throw new Error(`subscription ${id} has no items`);
  return item;
}

/** Of lines, after their discounts and without VAT. */
function sum(lines: Stripe.InvoiceLineItem[]): number {
  return lines.reduce((total, { amount, discount_amounts: discounts }) => {
    const deducted = (discounts ?? []).reduce((all, discount) => all + discount.amount, 0);
    return total + amount - deducted;
  }, 0);
}
