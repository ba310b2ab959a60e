import type { ErrorKey, Task } from "@nido/contract";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { tasks, wordpressSites } from "../db/schema.ts";

export async function findOwnTask(db: Db, userId: string, id: string): Promise<Task | undefined> {
  const [row] = await db
    .select(shown)
    .from(tasks)
    .leftJoin(wordpressSites, eq(wordpressSites.taskId, tasks.id))
    .where(and(eq(sql`${tasks.id}::text`, id), eq(tasks.userId, userId)));
  return row && present(row);
}

export async function findTask(tx: Tx, id: string): Promise<Task | undefined> {
  const [row] = await tx
    .select(shown)
    .from(tasks)
    .leftJoin(wordpressSites, eq(wordpressSites.taskId, tasks.id))
    .where(eq(tasks.id, id));
  return row && present(row);
}

const shown = {
  state: tasks.state,
  progress: tasks.progress,
  error: tasks.error,
  projectId: wordpressSites.projectId,
};

type Row = Pick<Task, "state" | "progress"> & { error: ErrorKey | null; projectId: string | null };

function present({ error, projectId, ...task }: Row): Task {
  return { ...task, ...(projectId && { project_id: projectId }), ...(error && { error }) };
}

export async function insertTask(tx: Tx, userId: string, task: Task): Promise<string> {
  const [row] = await tx
    .insert(tasks)
    .values({ userId, ...task })
    .returning({ id: tasks.id });
  return row?.id as string;
}

export async function updateTask(tx: Tx, id: string, task: Task) {
  await tx
    .update(tasks)
    .set({ error: null, ...task })
    .where(eq(tasks.id, id));
}

/** Fails a task with an error that the customer sees. */
export async function failTask(tx: Tx, id: string, error: ErrorKey) {
  await tx.update(tasks).set({ state: "failed", error }).where(eq(tasks.id, id));
}

/** Fails those of the tasks that are unfinished, because nothing will carry them out any more. */
export async function failTasks(tx: Tx, ids: string[]) {
  const isUnfinished = inArray(tasks.state, ["pending", "running"]);
  await tx
    .update(tasks)
    .set({ state: "failed" })
    .where(and(inArray(tasks.id, ids), isUnfinished));
}
