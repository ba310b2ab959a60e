import { and, eq, exists, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { events, projects, subscriptions, users } from "../db/schema.ts";
import { jobKey } from "../jobs/defineJob.ts";
import { updateAtProviderJob } from "./jobs.ts";

type SubscriptionChange = Partial<Omit<typeof subscriptions.$inferInsert, "id" | "userId">>;

export async function insertSubscription(tx: Tx, subscription: typeof subscriptions.$inferInsert) {
  await tx.insert(subscriptions).values(subscription);
}

export async function findSubscription(db: Db | Tx, id: string) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return row;
}

export async function updateSubscription(tx: Tx, id: string, change: SubscriptionChange) {
  await tx.update(subscriptions).set(change).where(eq(subscriptions.id, id));
}

/** Removes a subscription from the customer's state. */
export async function setCancelled(tx: Tx, id: string) {
  await tx
    .update(subscriptions)
    .set({ cancelledAt: sql`coalesce(${subscriptions.cancelledAt}, now())` })
    .where(eq(subscriptions.id, id));
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

/** Subscriptions cancelled here that the provider would still charge for, and without a job that will end them. */
export async function findForgottenCancellations(db: Db) {
  const hasJob = sql`exists (select from graphile_worker.jobs where key = ${jobKey(updateAtProviderJob, "")} || ${subscriptions.id})`;
  const isCancelled = and(isNotNull(subscriptions.cancelledAt), isNull(subscriptions.endedAt));
  const isCollected = or(eq(subscriptions.cancelAtPeriodEnd, false), isNotNull(subscriptions.pastDueSince));
  const isForgotten = and(isCancelled, isCollected, sql`not ${hasJob}`);
  return db.select().from(subscriptions).where(isForgotten);
}

/** A subscription that was cancelled here, while the provider has not ended it and its period runs. */
export async function findResumable(db: Db | Tx, id: string) {
  const isRunning = and(isNull(subscriptions.endedAt), gt(subscriptions.periodEnd, sql`now()`));
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.id, id), isRunning, isNull(subscriptions.pastDueSince)));
  return row;
}

/** Subscriptions with an overdue payment. */
export async function findOverdueSubscriptions(db: Db) {
  const { id, userId, amount, currency } = subscriptions;
  return db
    .select({
      id,
      userId,
      amount,
      currency,
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
        // Nothing is owed for a subscription that has ended.
        isNull(subscriptions.endedAt),
      ),
    );
  return and(eq(projects.status, "active"), isNull(projects.archivedAt), isNull(projects.stagingOf), exists(owed));
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
