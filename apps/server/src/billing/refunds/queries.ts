import { and, asc, desc, eq, gte, inArray, isNull, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { refunds, users } from "../../db/schema.ts";
import { jobKey } from "../../jobs/defineJob.ts";
import { payRefundJob } from "../jobs.ts";

export type RefundRow = typeof refunds.$inferSelect;

export async function insertRefund(tx: Tx, refund: typeof refunds.$inferInsert): Promise<string> {
  const [row] = await tx.insert(refunds).values(refund).returning({ id: refunds.id });
  return row?.id as string;
}

export async function findRefund(db: Db | Tx, id: string): Promise<RefundRow | undefined> {
  // Compared as text, so that a malformed id is an unknown id and not a database error.
  const [row] = await db
    .select()
    .from(refunds)
    .where(eq(sql`${refunds.id}::text`, id));
  return row;
}

/** Whether this purchase is refunded instead of being fulfilled. */
export async function isRefunded(tx: Tx, subId: string): Promise<boolean> {
  return (await tx.$count(refunds, eq(refunds.subId, subId))) > 0;
}

/** Whether a purchase of this customer by this name is refunded instead of being fulfilled. */
export async function hasRefundedPurchase(db: Db, userId: string, name: string, since: Date): Promise<boolean> {
  const isIt = and(eq(refunds.userId, userId), eq(refunds.name, name), gte(refunds.createdAt, since));
  return (await db.$count(refunds, isIt)) > 0;
}

export async function updateRefund(tx: Tx, id: string, change: Partial<RefundRow>) {
  await tx.update(refunds).set(change).where(eq(refunds.id, id));
}

export async function hasRefund(tx: Tx, invoiceId: string): Promise<boolean> {
  return (await tx.$count(refunds, eq(refunds.invoiceId, invoiceId))) > 0;
}

/** The refunds of an invoice that the provider may report something new about, the oldest first. */
export function findRefundsOf(db: Db | Tx, invoiceId: string): Promise<RefundRow[]> {
  const isOf = and(eq(refunds.invoiceId, invoiceId), ne(refunds.state, "settled"));
  return db.select().from(refunds).where(isOf).orderBy(asc(refunds.createdAt));
}

/** Refunds that are owed, and without a job that will pay them. */
export function findForgottenRefunds(db: Db) {
  const hasJob = sql`exists (select from graphile_worker.jobs where key = ${jobKey(payRefundJob, "")} || ${refunds.id})`;
  const isOwed = and(eq(refunds.state, "owed"), isNull(refunds.problem));
  return db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(isOwed, sql`not ${hasJob}`));
}

const shownRefunds = 200;

/** What is owed to customers, and what was refunded, the newest first. */
export async function findRefunds(db: Db) {
  const select = () =>
    db
      .select({ refund: refunds, email: users.email })
      .from(refunds)
      .innerJoin(users, eq(users.id, refunds.userId))
      .orderBy(desc(refunds.createdAt));
  return {
    owed: await select().where(inArray(refunds.state, ["owed", "failed"])),
    refunded: await select()
      .where(inArray(refunds.state, ["pending", "refunded"]))
      .limit(shownRefunds),
  };
}
