import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { domains, projects } from "../db/schema.ts";

type NewProject = typeof projects.$inferInsert;

/** Takes a name that is free; undefined where the unique index says it is not. */
export async function insertProject(tx: Tx, project: NewProject): Promise<string | undefined> {
  const [row] = await tx.insert(projects).values(project).onConflictDoNothing().returning({ id: projects.id });
  return row?.id;
}

export async function findOwnProject(tx: Tx, userId: string, id: string) {
  const [row] = await tx.select().from(projects).where(isOwn(userId, id));
  return row;
}

/** Takes the project out of the customer's hands, with its domains; undefined where it is not theirs. */
export async function archiveOwnProject(tx: Tx, userId: string, id: string) {
  const [row] = await tx.update(projects).set({ archivedAt: sql`now()` }).where(isOwn(userId, id)).returning();
  if (row) await tx.delete(domains).where(eq(domains.projectId, row.id));
  return row;
}

/** Archived projects count: their name is theirs until the archive is gone. */
export async function isNameTaken(db: Db, name: string): Promise<boolean> {
  const rows = await db.select({ id: projects.id }).from(projects).where(eq(projects.name, name));
  return rows.length > 0;
}

function isOwn(userId: string, id: string) {
  // Compared as text: what is no uuid is an unknown id, not an error of the database.
  return and(eq(sql`${projects.id}::text`, id), eq(projects.userId, userId), isNull(projects.archivedAt));
}
