import { and, asc, desc, eq, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Tx } from "../../db/connect.ts";
import { checkouts, users } from "../../db/schema.ts";
import { failTasks } from "../../tasks/queries.ts";

export type CheckoutRow = typeof checkouts.$inferSelect;

const isOpen = eq(checkouts.state, "open");
/** Open, or paid by a method that takes days: both hold the name. */
const isHeld = sql`${checkouts.state} in ('open', 'processing')`;
// The provider requires at least 30 minutes, by its own clock when the call arrives. The rest is a margin.
const openFor = sql`interval '33 minutes'`;

/** Undefined if the unique index refuses the name, because another checkout holds it. */
export async function insertCheckout(
  tx: Tx,
  checkout: Omit<typeof checkouts.$inferInsert, "expiresAt">,
): Promise<CheckoutRow | undefined> {
  const expiresAt = sql`date_trunc('second', now()) + ${openFor}`;
  const [row] = await tx
    .insert(checkouts)
    .values({ ...checkout, expiresAt })
    .onConflictDoNothing({ target: checkouts.name, where: isHeld })
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

/** The customer's checkout that holds this name. */
export async function findHeldCheckout(tx: Tx, userId: string, name: string): Promise<CheckoutRow | undefined> {
  const [row] = await tx
    .select()
    .from(checkouts)
    .where(and(isHeld, eq(checkouts.userId, userId), eq(checkouts.name, name)));
  return row;
}

/** The customer's checkouts that hold a name, oldest first. */
export async function findHeldCheckouts(tx: Tx, userId: string): Promise<CheckoutRow[]> {
  return tx
    .select()
    .from(checkouts)
    .where(and(isHeld, eq(checkouts.userId, userId)))
    .orderBy(asc(checkouts.createdAt));
}

/** What a customer can have once, each with a unique index of its own. */
const claims = {
  referral: isNotNull(checkouts.referrerId),
  firstPurchase: eq(checkouts.firstPurchase, true),
  trial: isNotNull(checkouts.trialDays),
};
export type ClaimKind = keyof typeof claims;

/** The checkout that holds or has used what the customer can have once. */
export async function findClaim(db: Db | Tx, userId: string, kind: ClaimKind): Promise<CheckoutRow | undefined> {
  const [row] = await db
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.userId, userId), claims[kind], ne(checkouts.state, "expired")));
  return row;
}

export async function hasHadTrial(db: Db | Tx, userId: string): Promise<boolean> {
  return (await findClaim(db, userId, "trial"))?.state === "paid";
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
  purchase: Pick<CheckoutRow, "referrerId" | "firstPurchase" | "trialDays"> & { sessionId: string; subId: string },
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

/** False if nothing was held any more. */
async function release(tx: Tx, condition: SQL | undefined): Promise<boolean> {
  const released = await tx
    .update(checkouts)
    .set({ state: "expired", url: null })
    .where(and(isHeld, condition))
    .returning({ taskId: checkouts.taskId });
  await failTasks(
    tx,
    released.flatMap(({ taskId }) => taskId ?? []),
  );
  return released.length > 0;
}

/**
 * Holds a checkout whose payment takes days, until the provider reports its result. `expiresAt` becomes the time at
 * which `reconcile` asks for it. Returns since when the payment is processed; undefined if the checkout is not held.
 */
export async function holdProcessing(tx: Tx, id: string): Promise<Date | undefined> {
  const [row] = await tx
    .update(checkouts)
    .set({
      state: "processing",
      url: null,
      processingSince: sql`coalesce(${checkouts.processingSince}, now())`,
      expiresAt: sql`now() + interval '6 hours'`,
    })
    .where(and(isHeld, eq(checkouts.id, id)))
    .returning({ processingSince: checkouts.processingSince });
  return row?.processingSince ?? undefined;
}

/** Whether a payment of the customer that took days has failed in the last month. */
export async function hasFailedProcessing(db: Db | Tx, userId: string): Promise<boolean> {
  const isRecent = gt(checkouts.createdAt, sql`now() - interval '35 days'`);
  const hasFailed = and(eq(checkouts.state, "expired"), isNotNull(checkouts.processingSince), isRecent);
  return (await db.$count(checkouts, and(eq(checkouts.userId, userId), hasFailed))) > 0;
}

/** Sessions whose result is due and has not been reported, with the buyer's id at the provider. */
export async function findOverdueSessions(db: Db) {
  return db
    .select({ sessionId: sql<string>`${checkouts.sessionId}`, customer: users.providerId })
    .from(checkouts)
    .innerJoin(users, eq(users.id, checkouts.userId))
    .where(and(isHeld, isNotNull(checkouts.sessionId), lt(checkouts.expiresAt, sql`now()`)));
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

/** Whether a checkout of another customer holds this name. */
export async function isNameHeld(db: Db, name: string, exceptUserId: string | undefined): Promise<boolean> {
  const rows = await db
    .select({ userId: checkouts.userId })
    .from(checkouts)
    .where(and(isHeld, eq(checkouts.name, name)));
  return rows.some(({ userId }) => userId !== exceptUserId);
}

function isUuid(id: string): boolean {
  return z.uuid().safeParse(id).success;
}

export async function removeExpiredCheckouts(db: Db) {
  // A direct debit may arrive long after it was given up, and is refunded then.
  const keptFor = sql`case when ${checkouts.processingSince} is null then interval '35 days' else interval '90 days' end`;
  const isOld = lt(checkouts.createdAt, sql`now() - ${keptFor}`);
  await db.delete(checkouts).where(and(eq(checkouts.state, "expired"), isOld));
}
