import { and, count, desc, eq, lt, ne, sql } from "drizzle-orm";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { mailMessages, mailSuppressions, users } from "../db/schema.ts";

export type MessageRow = typeof mailMessages.$inferSelect;
type Suppression = typeof mailSuppressions.$inferInsert;

export async function findWaiting(db: Db, id: string): Promise<MessageRow | undefined> {
  const isIt = and(eq(mailMessages.id, id), eq(mailMessages.status, "waiting"));
  const [row] = await db.select().from(mailMessages).where(isIt);
  return row;
}

/** Records what became of a message, and forgets its secrets. */
export async function endMessage(db: Db, id: string, status: MessageRow["status"]) {
  await db.update(mailMessages).set({ status, secrets: null, endedAt: sql`now()` }).where(eq(mailMessages.id, id));
}

/** A complaint stops only what the customer could have turned off: it may have been about the mail of some site. */
export async function isSuppressed(db: Db, address: string, hasTopic: boolean): Promise<boolean> {
  const applies = hasTopic ? undefined : ne(mailSuppressions.reason, "complained");
  return (await db.$count(mailSuppressions, and(eq(mailSuppressions.address, address.toLowerCase()), applies))) > 0;
}

export async function suppress(db: Db, { address, reason }: Suppression) {
  await db.insert(mailSuppressions).values({ address: address.toLowerCase(), reason }).onConflictDoNothing();
}

/** Allows mail to an address again. False if it was not suppressed. */
export async function allowAddress(db: Db, address: string): Promise<boolean> {
  const rows = await db
    .delete(mailSuppressions)
    .where(eq(mailSuppressions.address, address.toLowerCase()))
    .returning({ address: mailSuppressions.address });
  return rows.length > 0;
}

export function findSuppressions(db: Db) {
  return db.select().from(mailSuppressions).orderBy(desc(mailSuppressions.createdAt)).limit(1000);
}

/** How many messages of the last month have each status. */
export function countMessages(db: Db) {
  const { status } = mailMessages;
  return db.select({ status, count: count() }).from(mailMessages).groupBy(status).orderBy(status);
}

/** Turns a topic off, once. False if there is no such customer. */
export async function muteTopic(tx: Tx, userId: string, topic: string): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    update ${users} set muted_mail = array(select distinct unnest(muted_mail || ${topic}::text))
    where id = ${userId}`);
  if (rowCount) await announceChange(tx, userId);
  return (rowCount ?? 0) > 0;
}

/** They are kept for a month, for questions like "did you write to me?". */
export async function removeOldMessages(db: Db) {
  await db.delete(mailMessages).where(lt(mailMessages.createdAt, sql`now() - interval '30 days'`));
}
