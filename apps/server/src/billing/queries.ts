import { and, eq, exists, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { events, projects, subscriptions } from "../db/schema.ts";

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

/** The customer's part of a cancellation: from now on they have it no more. */
export async function cancelSubscription(tx: Tx, id: string) {
  await tx
    .update(subscriptions)
    .set({ cancelledAt: sql`coalesce(${subscriptions.cancelledAt}, now())` })
    .where(eq(subscriptions.id, id));
}

/** Given up by the customer, not yet ended as far as the provider has told, and without a job that sees to it. */
export async function findForgottenCancellations(db: Db): Promise<string[]> {
  const hasJob = sql`exists (select from graphile_worker.jobs where key = 'cancelAtProvider:' || ${subscriptions.id})`;
  const isIt = and(isNotNull(subscriptions.cancelledAt), isNull(subscriptions.endedAt), sql`not ${hasJob}`);
  const rows = await db.select({ id: subscriptions.id }).from(subscriptions).where(isIt);
  return rows.map(({ id }) => id);
}

/** Projects that are up although their payment has been owed for longer than the grace time. */
export async function findOverdueProjects(db: Db, graceDays: number) {
  return db.select({ id: projects.id, userId: projects.userId }).from(projects).where(isOverdue(db, graceDays));
}

/** False where it is not overdue, or not up, any more. */
export async function suspendOverdueProject(tx: Tx, id: string, graceDays: number): Promise<boolean> {
  const rows = await tx
    .update(projects)
    .set({ status: "suspended" })
    .where(and(eq(projects.id, id), isOverdue(tx, graceDays)))
    .returning({ id: projects.id });
  return rows.length > 0;
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
        // Of one that has ended nothing is owed any more.
        isNull(subscriptions.endedAt),
      ),
    );
  return and(eq(projects.status, "active"), isNull(projects.archivedAt), exists(owed));
}

/** False where the event was taken before. */
export async function claimEvent(tx: Tx, id: string, type: string): Promise<boolean> {
  const rows = await tx.insert(events).values({ id, type }).onConflictDoNothing().returning({ id: events.id });
  return rows.length > 0;
}
