import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { disputes, subscriptions } from "../db/schema.ts";

type Dispute = typeof disputes.$inferInsert;

/** Records what the provider reports about a dispute. Returns the state that was known, or undefined if it is new. */
export async function saveDispute(tx: Tx, dispute: Dispute): Promise<Dispute["state"] | undefined> {
  const [known] = await tx.select({ state: disputes.state }).from(disputes).where(eq(disputes.id, dispute.id));
  const { state, amount, reason } = dispute;
  const set = { state, amount, reason };
  await tx.insert(disputes).values(dispute).onConflictDoUpdate({ target: disputes.id, set });
  return known?.state;
}

export async function findDispute(db: Db, id: string) {
  const [row] = await db.select().from(disputes).where(eq(disputes.id, id));
  return row;
}

/** Whether a payment for the subscription is disputed, or was returned to the customer by a dispute. */
export async function isDisputed(db: Db | Tx, subId: string): Promise<boolean> {
  return (await db.$count(disputes, and(eq(disputes.subId, subId), ne(disputes.state, "won")))) > 0;
}

/** The worst state of a subscription's disputes; null if none is open or lost. */
export const disputeOf: SQL<"open" | "lost" | null> = sql`(select min(state) from ${disputes}
  where ${disputes.subId} = ${subscriptions.id} and ${disputes.state} <> 'won')`;
