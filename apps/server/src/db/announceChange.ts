import { sql } from "drizzle-orm";
import type { Tx } from "./connect.ts";
import { users } from "./schema.ts";

export const stateChannel = "nido_state";

/**
 * Increments the revision of the customer's state and notifies every process when the transaction commits. Each
 * transaction that changes something in the state calls it once.
 */
export async function announceChange(tx: Tx, userId: string) {
  await tx.execute(sql`with ${changed(userId)} select ${announced} from changed`);
}

/** The same as two SQL fragments, for a statement that also makes the change (`recordReceived`). */
export const changed = (userId: string) =>
  sql`changed as (update ${users} set rev = rev + 1 where id = ${userId} returning id, rev)`;
export const announced = sql`pg_notify(${stateChannel}, id || ' ' || rev)`;
