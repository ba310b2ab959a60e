import type { Subscription } from "@nido/contract";
import type { subscriptions } from "../db/schema.ts";

export type SubscriptionRow = Pick<
  typeof subscriptions.$inferSelect,
  "id" | "amount" | "currency" | "interval" | "cancelAtPeriodEnd"
> & {
  /** seconds since 1970 */
  createdAt: number;
  periodStart: number;
  periodEnd: number;
  isPastDue: boolean;
};

export function presentSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    created: row.createdAt,
    current_period_start: row.periodStart,
    current_period_end: row.periodEnd,
    plan: { amount: row.amount, currency: row.currency, interval: row.interval },
    cancel_at_period_end: row.cancelAtPeriodEnd,
    past_due: row.isPastDue,
  };
}
