import type { ErrorKey, MoveInReport } from "@nido/contract";
import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { type MoveInCopy, moveIns } from "../../db/schema.ts";

export type MoveInRow = typeof moveIns.$inferSelect;

export async function findMoveIn(db: Db | Tx, projectId: string): Promise<MoveInRow | undefined> {
  const [row] = await db.select().from(moveIns).where(eq(moveIns.projectId, projectId));
  return row;
}

/** Begins an upload, which replaces the one of before. */
export async function insertMoveIn(
  tx: Tx,
  projectId: string,
  upload: Pick<MoveInRow, "name" | "size" | "modified"> & Partial<Pick<MoveInRow, "id" | "source">>,
) {
  await tx.delete(moveIns).where(eq(moveIns.projectId, projectId));
  await tx.insert(moveIns).values({ projectId, ...upload });
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

/** Records a piece of another WordPress, and where the next one begins. False if another piece was expected. */
export async function recordPiece(
  tx: Tx,
  id: string,
  index: number,
  { name, bytes, source }: { name: string; bytes: number; source: MoveInCopy },
): Promise<boolean> {
  const rows = await tx
    .update(moveIns)
    .set({
      ...{ source, received: sql`${moveIns.received} + ${bytes}` },
      parts: sql`array_append(${moveIns.parts}, ${name})`,
    })
    .where(and(eq(moveIns.id, id), isNotNull(moveIns.source), sql`cardinality(${moveIns.parts}) = ${index}`))
    .returning({ id: moveIns.id });
  return rows.length > 0;
}

/** From now on, what was copied is like an archive that was sent. False if it was finished before. */
export async function finishFetch(tx: Tx, id: string, parts: string[], added: number): Promise<boolean> {
  const size = sql`${moveIns.received} + ${added}`;
  const rows = await tx
    .update(moveIns)
    .set({ parts, source: null, received: size, size })
    .where(and(eq(moveIns.id, id), isNotNull(moveIns.source)))
    .returning({ id: moveIns.id });
  return rows.length > 0;
}

/** The pieces of a copy that has failed are of no use. */
export async function failFetch(tx: Tx, id: string, problem: ErrorKey) {
  await tx.update(moveIns).set({ problem, source: null, parts: [] }).where(eq(moveIns.id, id));
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
