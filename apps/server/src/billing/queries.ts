import { and, eq, exists, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { events, projects, subscriptions, users } from "../db/schema.ts";
import { jobKey } from "../jobs/defineJob.ts";
import { disputeOf } from "./disputes.ts";
import { updateAtProviderJob } from "./jobs.ts";

type SubscriptionChange = Partial<Omit<typeof subscriptions.$inferInsert, "id" | "userId">>;

export async function insertSubscription(tx: Tx, subscription: typeof subscriptions.$inferInsert) {
  await tx.insert(subscriptions).values(subscription);
}

export async function findSubscription(db: Db | Tx, id: string) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return row;
}

export async function updateSubscription(tx: Db | Tx, id: string, change: SubscriptionChange) {
  await tx.update(subscriptions).set(change).where(eq(subscriptions.id, id));
}

/** Removes a subscription from the customer's state. */
export async function setCancelled(tx: Tx, id: string) {
  await tx
    .update(subscriptions)
    .set({ cancelledAt: sql`coalesce(${subscriptions.cancelledAt}, now())` })
    .where(eq(subscriptions.id, id));
}

/** Whether the customer has ever bought anything. */
export async function hasBought(db: Db | Tx, userId: string): Promise<boolean> {
  return (await db.$count(subscriptions, eq(subscriptions.userId, userId))) > 0;
}

/** A customer's subscriptions that have not been cancelled, the oldest first. */
export function findRunning(db: Db, userId: string, limit: number) {
  const isRunning = and(isNull(subscriptions.endedAt), isNull(subscriptions.cancelledAt));
  return db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), isRunning))
    .orderBy(subscriptions.createdAt)
    .limit(limit);
}

/** The provider's id of the customer who pays for a subscription. */
export async function findPayer(db: Db | Tx, id: string): Promise<string | undefined> {
  const [row] = await db
    .select({ providerId: users.providerId })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(eq(subscriptions.id, id));
  return row?.providerId ?? undefined;
}

/** Whether a job tells the provider when this subscription ends, or will; with `isWaiting`, one that does not run yet. */
export async function hasUpdate(tx: Tx, id: string, { isWaiting = false } = {}): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`select from graphile_worker.jobs where key = ${jobKey(updateAtProviderJob, id)}
      and (locked_at is null or not ${isWaiting})`,
  );
  return rows.length > 0;
}

/**
 * Subscriptions that the provider would still charge for, and without a job that will end them: cancelled here, or with
 * a payment that a dispute returned to the customer.
 */
export async function findForgottenCancellations(db: Db) {
  const hasJob = sql`exists (select from graphile_worker.jobs where key = ${jobKey(updateAtProviderJob, "")} || ${subscriptions.id})`;
  const isCancelled = and(isNotNull(subscriptions.cancelledAt), isNull(subscriptions.endedAt));
  // A direct debit on its way cannot be stopped. Its result is synced.
  const isWaiting = sql`${subscriptions.paymentStep} is not distinct from 'processing'`;
  const isOverdue = and(isNotNull(subscriptions.pastDueSince), sql`not ${isWaiting}`);
  const isCollected = or(eq(subscriptions.cancelAtPeriodEnd, false), isOverdue);
  const isLost = and(
    sql`${disputeOf} = 'lost'`,
    isNull(subscriptions.endedAt),
    eq(subscriptions.cancelAtPeriodEnd, false),
  );
  const isForgotten = and(or(and(isCancelled, isCollected), isLost), sql`not ${hasJob}`);
  return db.select().from(subscriptions).where(isForgotten);
}

/** A subscription that was cancelled here, while the provider has not ended it and its paid period runs. */
export async function findResumable(db: Db | Tx, id: string) {
  const isRunning = and(isNull(subscriptions.endedAt), gt(subscriptions.periodEnd, sql`now()`));
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.id, id), isRunning, isNull(subscriptions.pastDueSince), sql`${disputeOf} is null`));
  return row;
}

/** A direct debit takes days, in which nothing can be done about it. */
const isNotOnItsWay = sql`${subscriptions.paymentStep} is distinct from 'processing'`;

/** Subscriptions with an overdue payment. */
export async function findOverdueSubscriptions(db: Db) {
  const { id, userId, amount, currency, owedAmount, payUrl, paymentStep } = subscriptions;
  return db
    .select({
      id,
      userId,
      amount,
      currency,
      owedAmount,
      payUrl,
      paymentStep,
      pastDueSince: sql<Date>`${subscriptions.pastDueSince}`.mapWith(subscriptions.pastDueSince),
    })
    .from(subscriptions)
    .where(
      and(isNotNull(subscriptions.pastDueSince), isNull(subscriptions.endedAt), isNull(subscriptions.cancelledAt)),
    );
}

/** Active projects whose payment is overdue for longer than the grace period. */
export async function findOverdueProjects(db: Db, graceDays: number) {
  return db.select({ id: projects.id, userId: projects.userId }).from(projects).where(isOverdue(db, graceDays));
}

export async function isProjectOverdue(tx: Tx, id: string, graceDays: number): Promise<boolean> {
  return (await tx.$count(projects, and(eq(projects.id, id), isOverdue(tx, graceDays)))) > 0;
}

function isOverdue(db: Db | Tx, graceDays: number) {
  const since = sql`now() - make_interval(days => ${graceDays})`;
  const owed = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.id, projects.subId),
        lt(subscriptions.pastDueSince, since),
        isNotOnItsWay,
        // Nothing is owed for a subscription that has ended.
        isNull(subscriptions.endedAt),
      ),
    );
  return and(eq(projects.status, "active"), isNull(projects.archivedAt), isNull(projects.stagingOf), exists(owed));
}

/** Active projects with a disputed payment. */
export async function findDisputedProjects(db: Db) {
  const isActive = and(eq(projects.status, "active"), isNull(projects.archivedAt), isNull(projects.stagingOf));
  return db
    .select({ subId: projects.subId, userId: projects.userId })
    .from(projects)
    .innerJoin(subscriptions, eq(subscriptions.id, projects.subId))
    .where(and(isActive, sql`${disputeOf} is not null`));
}

/** False if the event was recorded before. */
export async function claimEvent(tx: Tx, id: string, type: string): Promise<boolean> {
  const rows = await tx.insert(events).values({ id, type }).onConflictDoNothing().returning({ id: events.id });
  return rows.length > 0;
}

/** The provider retries an event for some days and lists it for 30, so an older one cannot come again. */
export async function removeOldEvents(db: Db) {
  await db.delete(events).where(lt(events.receivedAt, sql`now() - interval '35 days'`));
}
