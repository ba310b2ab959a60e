import { and, asc, desc, eq, isNotNull, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Tx } from "../../db/connect.ts";
import { checkouts, users } from "../../db/schema.ts";
import { failTasks } from "../../tasks/queries.ts";

export type CheckoutRow = typeof checkouts.$inferSelect;

const isOpen = eq(checkouts.state, "open");
// The provider requires at least 30 minutes, by its own clock when the call arrives. The rest is a margin.
const openFor = sql`interval '33 minutes'`;

/** Undefined if the unique index refuses the name, because another open checkout holds it. */
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
  // A malformed id is an unknown id, not a database error.
  if (!isUuid(id)) return undefined;
  const [row] = await db.select().from(checkouts).where(eq(checkouts.id, id));
  return row;
}

export async function findOwnCheckout(db: Db, userId: string, id: string): Promise<CheckoutRow | undefined> {
  const checkout = await findCheckout(db, id);
  return checkout?.userId === userId ? checkout : undefined;
}

export async function findLatestCheckout(db: Db, userId: string, name: string): Promise<CheckoutRow | undefined> {
  const [row] = await db
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.userId, userId), eq(checkouts.name, name)))
    .orderBy(desc(checkouts.createdAt))
    .limit(1);
  return row;
}

export async function findOpenCheckout(tx: Tx, userId: string, name: string): Promise<CheckoutRow | undefined> {
  const [row] = await tx
    .select()
    .from(checkouts)
    .where(and(isOpen, eq(checkouts.userId, userId), eq(checkouts.name, name)));
  return row;
}

/** The customer's open checkouts, oldest first. */
export async function findOpenCheckouts(tx: Tx, userId: string): Promise<CheckoutRow[]> {
  return tx
    .select()
    .from(checkouts)
    .where(and(isOpen, eq(checkouts.userId, userId)))
    .orderBy(asc(checkouts.createdAt));
}

/** The checkout that holds or has used the customer's one promotion. */
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

/** False if the checkout is no longer open. */
export async function recordSession(db: Db, id: string, sessionId: string, url: string | null): Promise<boolean> {
  const rows = await db
    .update(checkouts)
    .set({ sessionId, url, abandonedAt: null })
    .where(and(eq(checkouts.id, id), isOpen))
    .returning({ id: checkouts.id });
  return rows.length > 0;
}

export async function recordPurchase(
  tx: Tx,
  id: string,
  purchase: { sessionId: string; subId: string; referrerId: string | null },
) {
  await tx
    .update(checkouts)
    .set({ ...purchase, state: "paid", url: null })
    .where(eq(checkouts.id, id));
}

/**
 * Frees the name and the promotion of a checkout that can no longer be paid. `sessionId` is the session that the
 * provider ended, or null if it created none. A checkout with another session is left alone: it can still be paid.
 */
export function releaseCheckout(tx: Tx, id: string, sessionId: string | null) {
  const hasNoOtherSession = sessionId
    ? or(isNull(checkouts.sessionId), eq(checkouts.sessionId, sessionId))
    : isNull(checkouts.sessionId);
  return release(tx, and(eq(checkouts.id, id), hasNoOtherSession));
}

export function releaseSession(tx: Tx, sessionId: string) {
  return release(tx, eq(checkouts.sessionId, sessionId));
}

/** Releases expired checkouts without a recorded session. Nobody was given a URL to pay at. */
export function releaseUnanswered(tx: Tx) {
  return release(tx, and(isNull(checkouts.sessionId), lt(checkouts.expiresAt, sql`now() - interval '5 minutes'`)));
}

async function release(tx: Tx, condition: SQL | undefined) {
  const released = await tx
    .update(checkouts)
    .set({ state: "expired", url: null })
    .where(and(isOpen, condition))
    .returning({ taskId: checkouts.taskId });
  await failTasks(
    tx,
    released.flatMap(({ taskId }) => taskId ?? []),
  );
}

/** Sessions past their expiry whose result has not been reported, with the buyer's id at the provider. */
export async function findOverdueSessions(db: Db) {
  return db
    .select({ sessionId: sql<string>`${checkouts.sessionId}`, customer: users.providerId })
    .from(checkouts)
    .innerJoin(users, eq(users.id, checkouts.userId))
    .where(and(isOpen, isNotNull(checkouts.sessionId), lt(checkouts.expiresAt, sql`now()`)));
}

export async function findTaskOf(tx: Tx, subId: string): Promise<string | undefined> {
  const [row] = await tx.select({ taskId: checkouts.taskId }).from(checkouts).where(eq(checkouts.subId, subId));
  return row?.taskId ?? undefined;
}

export async function markAbandoned(db: Db, id: string) {
  await db
    .update(checkouts)
    .set({ abandonedAt: sql`now()` })
    .where(and(eq(checkouts.id, id), isOpen));
}

/** Whether an open checkout of another customer holds this name. */
export async function isNameHeld(db: Db, name: string, exceptUserId: string | undefined): Promise<boolean> {
  const rows = await db
    .select({ userId: checkouts.userId })
    .from(checkouts)
    .where(and(isOpen, eq(checkouts.name, name)));
  return rows.some(({ userId }) => userId !== exceptUserId);
}

function isUuid(id: string): boolean {
  return z.uuid().safeParse(id).success;
}

export async function removeExpiredCheckouts(db: Db) {
  const isOld = lt(checkouts.createdAt, sql`now() - interval '35 days'`);
  await db.delete(checkouts).where(and(eq(checkouts.state, "expired"), isOld));
}
