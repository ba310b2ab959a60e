import type { Earning, Payout, Referral } from "@nido/contract";
import { and, asc, desc, eq, inArray, isNull, lt, lte, ne, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { earnings, payouts, users } from "../db/schema.ts";

export async function findEarnings(tx: Tx, invoiceId: string) {
  return tx.select().from(earnings).where(eq(earnings.invoiceId, invoiceId)).orderBy(asc(earnings.createdAt));
}

export async function insertEarning(tx: Tx, earning: typeof earnings.$inferInsert) {
  await tx.insert(earnings).values(earning);
}

export async function reverseEarnings(tx: Tx, invoiceId: string) {
  const isUnpaid = inArray(earnings.state, ["pending", "requested"]);
  await tx
    .update(earnings)
    .set({ state: "reversed" })
    .where(and(eq(earnings.invoiceId, invoiceId), isUnpaid));
}

/** Earnings that can be paid out. A reduction counts at once: it belongs to an earning that may be payable. */
const isPayable = and(eq(earnings.state, "pending"), or(lte(earnings.payableAt, sql`now()`), lt(earnings.amount, 0)));

/**
 * The referrer's earnings that were not requested yet, summed by currency, and how much of each sum can be requested
 * now. A negative sum is a debt, which new earnings pay off.
 */
export async function findPending(db: Db | Tx, referrerId: string): Promise<Referral["pending"]> {
  return db
    .select({
      sum: sql<number>`sum(${earnings.amount})::int`,
      payable: sql<number>`coalesce(sum(${earnings.amount}) filter (where ${isPayable}), 0)::int`,
      currency: earnings.currency,
    })
    .from(earnings)
    .where(and(eq(earnings.referrerId, referrerId), eq(earnings.state, "pending")))
    .groupBy(earnings.currency)
    .orderBy(asc(earnings.currency));
}

const ledgerShown = 200;

/** The referrer's entries, newest first. Refused ones were never theirs. */
export async function findLedger(db: Db, referrerId: string): Promise<Earning[]> {
  const rows = await db
    .select()
    .from(earnings)
    .where(and(eq(earnings.referrerId, referrerId), ne(earnings.state, "refused")))
    .orderBy(desc(earnings.createdAt))
    .limit(ledgerShown);
  return rows.map(({ id, amount, currency, state, createdAt, payableAt }) => ({
    id,
    amount,
    currency,
    at: createdAt.toISOString(),
    state: state as Earning["state"],
    payable_at: payableAt.toISOString(),
  }));
}

/** The referrer's payout requests, newest first. */
export async function findPayouts(db: Db, userId: string): Promise<Payout[]> {
  const rows = await db
    .select({
      id: payouts.id,
      currency: payouts.currency,
      requestedAt: payouts.requestedAt,
      paidAt: payouts.paidAt,
      ibanEnd: payouts.ibanEnd,
      amount: sql<number>`coalesce(sum(${earnings.amount}), 0)::int`,
    })
    .from(payouts)
    .leftJoin(earnings, isPartOf)
    .where(eq(payouts.userId, userId))
    .groupBy(payouts.id)
    .orderBy(desc(payouts.requestedAt));
  return rows.map(({ id, amount, currency, requestedAt, paidAt, ibanEnd }) => ({
    id,
    amount,
    currency,
    requested_at: requestedAt.toISOString(),
    ...(paidAt && { paid_at: paidAt.toISOString() }),
    iban: ibanEnd,
  }));
}

/** Entries that were reversed meanwhile do not count. */
const isPartOf = and(eq(earnings.payoutId, payouts.id), ne(earnings.state, "reversed"));

type Payee = Pick<typeof users.$inferSelect, "id" | "iban" | "ibanEnd">;

/** Creates a payout request with all payable entries of a currency. */
export async function insertPayout(tx: Tx, { id: userId, iban, ibanEnd }: Payee, currency: string) {
  const [payout] = await tx.insert(payouts).values({ userId, currency, iban, ibanEnd }).returning({ id: payouts.id });
  await tx
    .update(earnings)
    .set({ state: "requested", payoutId: payout?.id as string })
    .where(and(eq(earnings.referrerId, userId), eq(earnings.currency, currency), isPayable));
}

/** The earnings that were refused because buyer and referrer seem to be one person, newest first. */
export async function findRefusedEarnings(db: Db) {
  return db
    .select({
      email: users.email,
      invoiceId: earnings.invoiceId,
      amount: earnings.amount,
      currency: earnings.currency,
      refusal: earnings.refusal,
      createdAt: earnings.createdAt,
    })
    .from(earnings)
    .innerJoin(users, eq(users.id, earnings.referrerId))
    .where(eq(earnings.state, "refused"))
    .orderBy(desc(earnings.createdAt));
}

/** Deletes a payout request with nothing left to pay. Its entries become pending again. */
export async function dissolveIfEmpty(tx: Tx, payoutId: string) {
  const isPart = eq(earnings.payoutId, payoutId);
  const isRequested = and(isPart, eq(earnings.state, "requested"));
  const [row] = await tx
    .select({ sum: sql<number>`coalesce(sum(${earnings.amount}), 0)::int` })
    .from(earnings)
    .where(isRequested);
  if (!row || row.sum > 0) return;
  await tx.update(earnings).set({ state: "pending" }).where(isRequested);
  await tx.update(earnings).set({ payoutId: null }).where(isPart);
  await tx.delete(payouts).where(eq(payouts.id, payoutId));
}

/** The payout requests that are not paid yet. */
export async function findRequestedPayouts(db: Db | Tx) {
  return db
    .select({
      id: payouts.id,
      userId: payouts.userId,
      email: users.email,
      currency: payouts.currency,
      requestedAt: payouts.requestedAt,
      iban: payouts.iban,
      sum: sql<number>`coalesce(sum(${earnings.amount}), 0)::int`,
    })
    .from(payouts)
    .innerJoin(users, eq(users.id, payouts.userId))
    .leftJoin(earnings, isPartOf)
    .where(isNull(payouts.paidAt))
    .groupBy(payouts.id, users.email)
    .orderBy(asc(payouts.requestedAt));
}

export async function updatePayoutPaid(tx: Tx, id: string) {
  await tx.update(payouts).set({ paidAt: sql`now()` }).where(eq(payouts.id, id));
  await tx
    .update(earnings)
    .set({ state: "paid" })
    .where(and(eq(earnings.payoutId, id), eq(earnings.state, "requested")));
}
