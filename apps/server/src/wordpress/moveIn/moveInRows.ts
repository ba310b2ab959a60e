import type { ErrorKey, MoveInReport } from "@nido/contract";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { moveIns } from "../../db/schema.ts";

export type MoveInRow = typeof moveIns.$inferSelect;

export async function findMoveIn(db: Db | Tx, projectId: string): Promise<MoveInRow | undefined> {
  const [row] = await db.select().from(moveIns).where(eq(moveIns.projectId, projectId));
  return row;
}

/** Begins an upload, which replaces the one of before. */
export async function insertMoveIn(
  tx: Tx,
  projectId: string,
  upload: { name: string; size: number; modified: number },
) {
  await tx.delete(moveIns).where(eq(moveIns.projectId, projectId));
  const [row] = await tx
    .insert(moveIns)
    .values({ projectId, ...upload })
    .returning({ id: moveIns.id });
  return (row as NonNullable<typeof row>).id;
}

/** Records the part that begins at this byte. Returns how many have arrived; undefined if another one was expected. */
export async function recordPart(
  db: Tx,
  id: string,
  { start, bytes, name }: { start: number; bytes: number; name: string },
): Promise<number | undefined> {
  const [row] = await db
    .update(moveIns)
    .set({ received: sql`${moveIns.received} + ${bytes}`, parts: sql`array_append(${moveIns.parts}, ${name})` })
    .where(and(eq(moveIns.id, id), eq(moveIns.received, start)))
    .returning({ received: moveIns.received });
  return row?.received;
}

export async function recordReport(
  db: Db | Tx,
  id: string,
  result: { report: MoveInReport; prefix: string } | { problem: ErrorKey },
) {
  await db.update(moveIns).set(result).where(eq(moveIns.id, id));
}

export async function removeMoveIn(tx: Db | Tx, projectId: string): Promise<string | undefined> {
  const [row] = await tx.delete(moveIns).where(eq(moveIns.projectId, projectId)).returning({ id: moveIns.id });
  return row?.id;
}

/** Forgets uploads that nobody has used for days. Returns the ids of the others. */
export async function removeOldMoveIns(db: Db): Promise<Set<string>> {
  await db.delete(moveIns).where(lt(moveIns.createdAt, sql`now() - interval '3 days'`));
  return new Set((await db.select({ id: moveIns.id }).from(moveIns)).map(({ id }) => id));
}
