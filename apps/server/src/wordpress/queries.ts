import type { Language } from "@nido/contract";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { projects, users, wordpressSites } from "../db/schema.ts";

/** What a WordPress is made from; undefined where nobody waits for it any more. */
export async function findUnmade(db: Db, projectId: string) {
  const [row] = await db
    .select({
      id: projects.id,
      name: projects.name,
      recipe: projects.recipe,
      userId: projects.userId,
      email: users.email,
      lang: users.lang,
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(isUnmade(projectId));
  return row;
}

/** Whether it is still to be made, asked again with the row held until the transaction ends. */
export async function holdUnmade(tx: Tx, projectId: string): Promise<boolean> {
  const rows = await tx.select({ id: projects.id }).from(projects).where(isUnmade(projectId)).for("no key update");
  return rows.length > 0;
}

function isUnmade(projectId: string) {
  return and(eq(projects.id, projectId), eq(projects.status, "provisioning"), isNull(projects.archivedAt));
}

interface NewSite {
  projectId: string;
  username: string;
  lang: Language;
  core: string;
  taskId: string;
}

export async function saveSite(db: Db, site: NewSite) {
  await db
    .insert(wordpressSites)
    .values(site)
    .onConflictDoUpdate({ target: wordpressSites.projectId, set: { core: site.core, taskId: site.taskId } });
}

export async function setStatus(tx: Tx, projectId: string, status: "active" | "failed") {
  await tx.update(projects).set({ status }).where(eq(projects.id, projectId));
}

export async function setDiskUsed(tx: Tx, projectId: string, bytes: number) {
  await tx.update(projects).set({ diskUsed: bytes }).where(eq(projects.id, projectId));
}

/** The project, where it is this customer's WordPress and can be entered. */
export async function findOwnWordPress(db: Db, userId: string, projectId: string) {
  const [row] = await db
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .where(
      and(
        eq(sql`${projects.id}::text`, projectId),
        eq(projects.userId, userId),
        eq(projects.status, "active"),
        isNull(projects.archivedAt),
      ),
    );
  return row;
}
