import { eq, sql } from "drizzle-orm";
import type { Tx } from "../db/connect.ts";
import { users } from "../db/schema.ts";

export const stateChannel = "nido_state";

/**
 * Counts a change of the customer's state and tells every process of it when the transaction commits.
 * Whatever changes something that `loadState` shows calls it, once, in the same transaction.
 */
export async function announceChange(tx: Tx, userId: string) {
  await tx
    .update(users)
    .set({ rev: sql`${users.rev} + 1` })
    .where(eq(users.id, userId));
  await tx.execute(
    sql`select pg_notify(${stateChannel}, id || ' ' || rev) from ${users} where ${users.id} = ${userId}`,
  );
}
