import { and, asc, eq, inArray, isNotNull, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { checkouts, tasks } from "../db/schema.ts";

export type CheckoutRow = typeof checkouts.$inferSelect;

const isOpen = eq(checkouts.state, "open");
// The provider wants at least half an hour, counted by its own clock when the call arrives.
const openFor = sql`interval '31 minutes'`;

/** Undefined where the unique index says that somebody holds the name. */
export async function insertCheckout(
  tx: Tx,
  checkout: Omit<typeof checkouts.$inferInsert, "expiresAt">,
): Promise<CheckoutRow | undefined> {
  const expiresAt = sql`date_trunc('second', now()) + ${openFor}`;
  const [row] = await tx
    .insert(checkouts)
    .values({ ...checkout, expiresAt })
    .onConflictDoNothing({ target: checkouts.name, where: sql`${checkouts.state} = 'open'` })
    .returning();
  return row;
}

export async function findCheckout(db: Db | Tx, id: string): Promise<CheckoutRow | undefined> {
  const [row] = await db.select().from(checkouts).where(hasId(id));
  return row;
}

export async function findOwnCheckout(db: Db, userId: string, id: string): Promise<CheckoutRow | undefined> {
  const [row] = await db
    .select()
    .from(checkouts)
    .where(and(hasId(id), eq(checkouts.userId, userId)));
  return row;
}

export async function findOpenCheckout(tx: Tx, userId: string, name: string): Promise<CheckoutRow | undefined> {
  const [row] = await tx
    .select()
    .from(checkouts)
    .where(and(isOpen, eq(checkouts.userId, userId), eq(checkouts.name, name)));
  return row;
}

/** The customer's open ones, the oldest first. */
export async function findOpenCheckouts(tx: Tx, userId: string): Promise<CheckoutRow[]> {
  return tx
    .select()
    .from(checkouts)
    .where(and(isOpen, eq(checkouts.userId, userId)))
    .orderBy(asc(checkouts.createdAt));
}

/** The checkout that has, or had, the customer's one promotion. */
export async function findPromotionClaim(tx: Tx, userId: string): Promise<CheckoutRow | undefined> {
  const [row] = await tx
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.userId, userId), isNotNull(checkouts.referrerId), ne(checkouts.state, "expired")));
  return row;
}

export async function findCheckoutBySubscription(db: Db, subId: string): Promise<CheckoutRow | undefined> {
  const [row] = await db.select().from(checkouts).where(eq(checkouts.subId, subId));
  return row;
}

/** False where the checkout is open no more. */
export async function recordSession(db: Db, id: string, sessionId: string, url: string | null): Promise<boolean> {
  const rows = await db
    .update(checkouts)
    .set({ sessionId, url })
    .where(and(eq(checkouts.id, id), isOpen))
    .returning({ id: checkouts.id });
  return rows.length > 0;
}

export async function recordPurchase(tx: Tx, id: string, sessionId: string, subId: string) {
  await tx.update(checkouts).set({ state: "paid", sessionId, subId, url: null }).where(eq(checkouts.id, id));
}

/** Frees the name and the promotion. Only for what can no longer be paid. */
export function releaseCheckout(db: Db, id: string) {
  return release(db, eq(checkouts.id, id));
}

/** Frees what the provider was never heard of: nobody was given an address to pay at. */
export function releaseUnanswered(db: Db) {
  return release(db, and(isNull(checkouts.sessionId), lt(checkouts.expiresAt, sql`now() - interval '5 minutes'`)));
}

async function release(db: Db, which: SQL | undefined) {
  await db.transaction(async (tx) => {
    const released = await tx
      .update(checkouts)
      .set({ state: "expired", url: null })
      .where(and(isOpen, which))
      .returning({ taskId: checkouts.taskId });
    const taskIds = released.flatMap(({ taskId }) => taskId ?? []);
    if (taskIds.length > 0) await tx.update(tasks).set({ state: "failed" }).where(inArray(tasks.id, taskIds));
  });
}

export async function findOverdueSessions(db: Db): Promise<string[]> {
  const rows = await db
    .select({ sessionId: checkouts.sessionId })
    .from(checkouts)
    .where(and(isOpen, isNotNull(checkouts.sessionId), lt(checkouts.expiresAt, sql`now()`)));
  return rows.map(({ sessionId }) => sessionId as string);
}

export async function markAbandoned(db: Db, id: string) {
  await db
    .update(checkouts)
    .set({ abandonedAt: sql`now()` })
    .where(and(eq(checkouts.id, id), isOpen));
}

/** Whether somebody else is buying a site of this name. */
export async function isNameHeld(db: Db, name: string, exceptBy: string | undefined): Promise<boolean> {
  const rows = await db
    .select({ userId: checkouts.userId })
    .from(checkouts)
    .where(and(isOpen, eq(checkouts.name, name)));
  return rows.some(({ userId }) => userId !== exceptBy);
}

function hasId(id: string) {
  // Compared as text: what is no uuid is an unknown id, not an error of the database.
  return eq(sql`${checkouts.id}::text`, id);
}
