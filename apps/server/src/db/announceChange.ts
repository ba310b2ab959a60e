import { sql } from "drizzle-orm";
import type { Tx } from "./connect.ts";
import { users } from "./schema.ts";

export const stateChannel = "nido_state";

/**
 * Increments the revision of the customer's state and notifies every process when the transaction commits. Each
 * transaction that changes something in the state calls it once.
 */
export async function announceChange(tx: Tx, userId: string) {
  await tx.execute(sql`with changed as (update ${users} set rev = rev + 1 where id = ${userId} returning id, rev)
    select ${announced} from changed`);
}

/** The notification, for a statement that increments the revision itself: in a CTE that returns `id` and `rev`. */
export const announced = sql`pg_notify(${stateChannel}, id || ' ' || rev)`;
