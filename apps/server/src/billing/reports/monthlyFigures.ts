import type { subscriptions } from "../../db/schema.ts";

export type ReportedSubscription = Pick<
  typeof subscriptions.$inferSelect,
  | "amount"
  | "currency"
  | "interval"
  | "createdAt"
  | "trialEndsAt"
  | "endedAt"
  | "cancelledAt"
  | "cancelAtPeriodEnd"
  | "pastDueSince"
  | "owedAmount"
>;

/** A calendar month in UTC: from its first instant to that of the next one. */
export interface Month {
  /** such as 2026-11 */
  name: string;
  start: Date;
  end: Date;
}

/** The figures of one month and currency that follow from our subscriptions. Amounts are in the smallest unit. */
export interface MonthlyFigures {
  /** recurring revenue a month, at the end of the month or now; a yearly price counts as a twelfth */
  mrr: number;
  /** the paying subscriptions behind it */
  paying: number;
  /** subscriptions whose first paid period began */
  started: number;
  /** paying subscriptions that ended */
  ended: number;
  /** trials that began */
  trials: number;
}

/** The debts and cancellations of a currency, now. */
export interface CurrentFigures {
  /** paying subscriptions, or trials, that end instead of being renewed */
  ending: number;
  /** subscriptions with an overdue payment, and what they owe with taxes */
  overdue: number;
  owed: number;
}

/** The months up to the present one, oldest first. */
export function lastMonths(now: Date, count: number): Month[] {
  const startOf = (ago: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
  return Array.from({ length: count }, (_, index) => {
    const ago = count - 1 - index;
    const start = startOf(ago);
    return { name: start.toISOString().slice(0, 7), start, end: startOf(ago - 1) };
  });
}

export function monthlyFigures(all: ReportedSubscription[], { start, end }: Month, now: Date): MonthlyFigures {
  const isWithin = (moment: Date | null) => moment !== null && moment >= start && moment < end;
  const at = end > now ? now : new Date(end.getTime() - 1);
  const paid = all.filter((one) => !endedWithTrial(one));
  const running = paid.filter((one) => paidFrom(one) <= at && (one.endedAt === null || one.endedAt > at));
  const perYear = running.reduce((sum, { amount, interval }) => sum + amount * (interval === "year" ? 1 : 12), 0);
  return {
    mrr: Math.round(perYear / 12),
    paying: running.length,
    started: paid.filter((one) => isWithin(paidFrom(one)) && paidFrom(one) <= now).length,
    ended: paid.filter(({ endedAt }) => isWithin(endedAt)).length,
    trials: all.filter(({ createdAt, trialEndsAt }) => trialEndsAt !== null && isWithin(createdAt)).length,
  };
}

export function currentFigures(all: ReportedSubscription[]): CurrentFigures {
  const running = all.filter(({ endedAt }) => endedAt === null);
  const overdue = running.filter(({ pastDueSince }) => pastDueSince !== null);
  return {
    ending: running.filter(({ cancelAtPeriodEnd, cancelledAt }) => cancelAtPeriodEnd || cancelledAt !== null).length,
    overdue: overdue.length,
    owed: overdue.reduce((sum, { owedAmount, amount }) => sum + (owedAmount ?? amount), 0),
  };
}

/** The provider ends a cancelled trial a little after its time. */
const trialMarginMs = 60 * 60 * 1000;

function endedWithTrial({ trialEndsAt, endedAt }: ReportedSubscription): boolean {
  return trialEndsAt !== null && endedAt !== null && endedAt.getTime() <= trialEndsAt.getTime() + trialMarginMs;
}

/** A trial is not revenue. */
function paidFrom({ createdAt, trialEndsAt }: ReportedSubscription): Date {
  return trialEndsAt ?? createdAt;
}
