import type { Task } from "@nido/contract";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { tasks } from "../db/schema.ts";

export async function findOwnTask(db: Db, userId: string, id: string): Promise<Task | undefined> {
  const [row] = await db
    .select({ state: tasks.state, progress: tasks.progress })
    .from(tasks)
    .where(and(eq(sql`${tasks.id}::text`, id), eq(tasks.userId, userId)));
  return row;
}

export async function insertTask(tx: Tx, userId: string, task: Task): Promise<string> {
  const [row] = await tx
    .insert(tasks)
    .values({ userId, ...task })
    .returning({ id: tasks.id });
  return row?.id as string;
}

export async function updateTask(tx: Tx, id: string, task: Task) {
  await tx.update(tasks).set(task).where(eq(tasks.id, id));
}

/** Ends what nobody will carry out any more. */
export async function failTasks(tx: Tx, ids: string[]) {
  const isUnfinished = inArray(tasks.state, ["pending", "running"]);
  await tx
    .update(tasks)
    .set({ state: "failed" })
    .where(and(inArray(tasks.id, ids), isUnfinished));
}
