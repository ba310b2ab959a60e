import { eq, sql } from "drizzle-orm";
import type { Tx } from "../db/connect.ts";
import { subscriptions } from "../db/schema.ts";

export async function insertSubscription(tx: Tx, subscription: typeof subscriptions.$inferInsert) {
  await tx.insert(subscriptions).values(subscription);
}

/** The customer's part of a cancellation: from now on they have it no more. */
export async function cancelSubscription(tx: Tx, id: string) {
  await tx.update(subscriptions).set({ cancelledAt: sql`now()` }).where(eq(subscriptions.id, id));
}
