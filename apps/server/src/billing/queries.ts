import { and, eq, exists, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { events, projects, subscriptions } from "../db/schema.ts";
import { jobKey } from "../jobs/defineJob.ts";
import { cancelAtProviderJob } from "./jobs.ts";

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

/** Removes a subscription from the customer's state. A job cancels it at the provider. */
export async function cancelSubscription(tx: Tx, id: string) {
  await tx
    .update(subscriptions)
    .set({ cancelledAt: sql`coalesce(${subscriptions.cancelledAt}, now())` })
    .where(eq(subscriptions.id, id));
}

/** Subscriptions cancelled here but not ended at the provider, and without a job that will end them. */
export async function findForgottenCancellations(db: Db): Promise<string[]> {
  const hasJob = sql`exists (select from graphile_worker.jobs where key = ${jobKey(cancelAtProviderJob, "")} || ${subscriptions.id})`;
  const isIt = and(isNotNull(subscriptions.cancelledAt), isNull(subscriptions.endedAt), sql`not ${hasJob}`);
  const rows = await db.select({ id: subscriptions.id }).from(subscriptions).where(isIt);
  return rows.map(({ id }) => id);
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
  return and(eq(projects.status, "active"), isNull(projects.archivedAt), exists(owed));
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
