import type { Language } from "@nido/contract";
import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { checkouts, projects, ssoTokens, users, wordpressSites } from "../db/schema.ts";
import { primaryDomain } from "../projects/queries.ts";

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

export async function setStatus(tx: Tx, projectId: string, status: "provisioning" | "active" | "failed") {
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

const shown = {
  id: projects.id,
  userId: projects.userId,
  name: projects.name,
  recipe: projects.recipe,
  subId: projects.subId,
  status: projects.status,
  archivedAt: projects.archivedAt,
  diskUsed: projects.diskUsed,
  core: wordpressSites.core,
  refusedCore: wordpressSites.refusedCore,
  primary: primaryDomain(),
};
export type SiteRow = Awaited<ReturnType<typeof findRunning>>[number];

/** Every WordPress that its customer can use, or could if they paid. */
export async function findRunning(db: Db) {
  return db
    .select(shown)
    .from(projects)
    .innerJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .where(and(inArray(projects.status, ["active", "suspended"]), isNull(projects.archivedAt)))
    .orderBy(projects.createdAt);
}

/** A WordPress whatever has become of it, by its project's id. */
export async function findWordPress(db: Db, projectId: string): Promise<SiteRow | undefined> {
  const [row] = await db
    .select(shown)
    .from(projects)
    .innerJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .where(eq(projects.id, projectId));
  return row;
}

export async function updateWordPress(tx: Tx, projectId: string, change: { core: string } | { refusedCore: string }) {
  await tx.update(wordpressSites).set(change).where(eq(wordpressSites.projectId, projectId));
}

/** Gives an archived project back to its customer. */
export async function unarchive(tx: Tx, projectId: string) {
  const status = sql`case when ${projects.heldAt} is null then 'active' else 'suspended' end`;
  await tx.update(projects).set({ archivedAt: null, status }).where(eq(projects.id, projectId));
}

export async function findArchivedLongAgo(db: Db, days: number) {
  return db
    .select({ id: projects.id })
    .from(projects)
    .where(lt(projects.archivedAt, sql`now() - make_interval(days => ${days})`));
}

/** Forgets a project whose archive has been kept for long enough; its name is free again. False where it has not. */
export async function deleteArchived(tx: Tx, projectId: string, days: number): Promise<boolean> {
  const isIt = and(eq(projects.id, projectId), lt(projects.archivedAt, sql`now() - make_interval(days => ${days})`));
  const rows = await tx.select({ id: projects.id }).from(projects).where(isIt).for("update");
  if (rows.length === 0) return false;
  await tx.delete(ssoTokens).where(eq(ssoTokens.projectId, projectId));
  await tx.delete(wordpressSites).where(eq(wordpressSites.projectId, projectId));
  await tx.delete(projects).where(eq(projects.id, projectId));
  return true;
}

/** Every WordPress there is, with what an operator asks for first. */
export async function findAll(db: Db) {
  return db
    .select({ ...shown, email: users.email })
    .from(projects)
    .innerJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .innerJoin(users, eq(users.id, projects.userId))
    .orderBy(projects.name);
}

/** What is needed to try again to make a WordPress that failed. */
export async function findFailed(tx: Tx, name: string) {
  const [row] = await tx
    .select({
      projectId: projects.id,
      userId: projects.userId,
      taskId: checkouts.taskId,
      username: checkouts.username,
      lang: checkouts.locale,
    })
    .from(projects)
    .innerJoin(checkouts, eq(checkouts.subId, projects.subId))
    .where(and(eq(projects.name, name), eq(projects.status, "failed"), isNull(projects.archivedAt)));
  return row;
}
