import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { branches, deploys, domains, projects, users, wordpressSites } from "../db/schema.ts";

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
export function archiveOwnProject(tx: Tx, userId: string, id: string) {
  return archive(tx, isOwn(userId, id));
}

/** The same for a subscription that ended by itself. */
export function archiveProjectOf(tx: Tx, subId: string) {
  return archive(tx, and(eq(projects.subId, subId), isNull(projects.archivedAt)));
}

async function archive(tx: Tx, which: SQL | undefined) {
  const [row] = await tx.update(projects).set({ archivedAt: sql`now()` }).where(which).returning();
  if (row) await tx.delete(domains).where(eq(domains.projectId, row.id));
  return row;
}

/** Brings back the site that a subscription pays for again. */
export async function restoreProjectOf(tx: Tx, subId: string) {
  const isIt = and(eq(projects.subId, subId), eq(projects.status, "suspended"), isNull(projects.heldAt));
  await tx.update(projects).set({ status: "active" }).where(isIt);
}

/** Takes a site down, or gives it back. Which projects there are to be held or released: those that were made. */
export async function setHeld(tx: Tx, id: string, isHeld: boolean) {
  const change = isHeld
    ? { heldAt: sql`now()`, status: "suspended" as const }
    : { heldAt: null, status: "active" as const };
  await tx.update(projects).set(change).where(eq(projects.id, id));
}

/** A project that can be taken down or given back, by its name. */
export async function findHoldable(db: Db | Tx, name: string) {
  const isMade = inArray(projects.status, ["active", "suspended"]);
  const [row] = await db
    .select()
    .from(projects)
    .where(and(eq(projects.name, name), isMade, isNull(projects.archivedAt)));
  return row;
}

const isServed = inArray(domains.status, ["verified", "failing"]);

/** What answers at {name}.SITES_DOMAIN, or at a customer's own host: names of projects have no dot. */
export async function findSite(db: Db, address: string) {
  const isHost = address.includes(".");
  const [row] = await db
    .select({
      id: projects.id,
      userId: projects.userId,
      name: projects.name,
      recipe: projects.recipe,
      status: projects.status,
      diskUsed: projects.diskUsed,
      lang: users.lang,
      core: wordpressSites.core,
      username: wordpressSites.username,
      primary: primaryDomain(),
      branches: shownBranches(),
      /** of the customer's own host */
      branch: domains.branch,
      redirectsTo: sql<string | null>`(select target.domain from ${domains} target
        where target.project_id = ${projects.id} and target.domain = ${domains.redirectsTo}
        and target.status in ('verified', 'failing'))`,
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .leftJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .leftJoin(domains, and(eq(domains.projectId, projects.id), eq(domains.domain, isHost ? address : ""), isServed))
    .where(and(isHost ? isNotNull(domains.id) : eq(projects.name, address), isNull(projects.archivedAt)));
  return row;
}

/** The host that a WordPress calls itself by, where the customer chose one. */
export function primaryDomain() {
  return sql<string | null>`(select d.domain from ${domains} d where d.project_id = ${projects.id} and d.is_primary
    and d.status in ('verified', 'failing'))`;
}

interface ShownBranch {
  /** which deploy it shows; told apart from the same one before its files were compressed */
  current: string;
  previous: string | null;
  /** when it began to show it, in milliseconds since 1970 */
  changedAt: number;
}

function shownBranches() {
  const version = sql`d.id || case when d.compressed_at is null then '' else ' compressed' end`;
  return sql<
    Record<string, ShownBranch>
  >`(select coalesce(json_object_agg(b.name, json_build_object('current', ${version},
    'previous', b.previous_id, 'changedAt', extract(epoch from b.changed_at) * 1000)), '{}')
    from ${branches} b join ${deploys} d on d.id = b.deploy_id where b.project_id = ${projects.id})`;
}

/** Archived projects count: their name is theirs until the archive is gone. */
export async function isNameTaken(db: Db | Tx, name: string): Promise<boolean> {
  const rows = await db.select({ id: projects.id }).from(projects).where(eq(projects.name, name));
  return rows.length > 0;
}

function isOwn(userId: string, id: string) {
  // Compared as text: what is no uuid is an unknown id, not an error of the database.
  return and(eq(sql`${projects.id}::text`, id), eq(projects.userId, userId), isNull(projects.archivedAt));
}
