import type { Subscription } from "@nido/contract";
import type { subscriptions } from "../db/schema.ts";

export type SubscriptionRow = Pick<
  typeof subscriptions.$inferSelect,
  "id" | "amount" | "currency" | "interval" | "cancelAtPeriodEnd" | "paymentStep"
> & {
  /** seconds since 1970 */
  createdAt: number;
  periodStart: number;
  periodEnd: number;
  trialEndsAt: number | null;
  pastDueSince: string | null;
  dispute: "open" | "lost" | null;
};

export function presentSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    created: row.createdAt,
    current_period_start: row.periodStart,
    current_period_end: row.periodEnd,
    plan: { amount: row.amount, currency: row.currency, interval: row.interval },
    cancel_at_period_end: row.cancelAtPeriodEnd,
    past_due: row.pastDueSince !== null,
    ...(row.pastDueSince &&
      (row.paymentStep === "confirm" || row.paymentStep === "processing") && { payment_step: row.paymentStep }),
    ...(row.dispute && { dispute: row.dispute }),
    // The period that ends with the trial is the trial.
    ...(row.trialEndsAt === row.periodEnd && { trial_ends: row.periodEnd }),
    ...(row.pastDueSince && { past_due_since: new Date(row.pastDueSince).toISOString() }),
  };
}
