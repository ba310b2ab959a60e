import { sql } from "drizzle-orm";
import type { Tx } from "./connect.ts";
import { users } from "./schema.ts";

export const stateChannel = "nido_state";

/**
 * Counts a change of the customer's state and tells every process of it when the transaction commits.
 * Whatever changes something that `loadState` shows calls it, once, in the same transaction.
 */
export async function announceChange(tx: Tx, userId: string) {
  await tx.execute(sql`with ${changed(userId)} select ${announced} from changed`);
}

/** The same as two parts of a statement that changes more. */
export const changed = (userId: string) =>
  sql`changed as (update ${users} set rev = rev + 1 where id = ${userId} returning id, rev)`;
export const announced = sql`pg_notify(${stateChannel}, id || ' ' || rev)`;
