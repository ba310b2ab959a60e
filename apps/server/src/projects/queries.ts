import { stagingBranch } from "@nido/contract";
import { and, eq, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { domains, projects } from "../db/schema.ts";

// Only this file writes to the projects table.

type NewProject = typeof projects.$inferInsert;
type Status = typeof projects.$inferSelect.status;

const isNoCopy = isNull(projects.stagingOf);

/** Undefined if the unique index refuses the name. */
export async function insertProject(tx: Tx, project: NewProject): Promise<string | undefined> {
  const [row] = await tx.insert(projects).values(project).onConflictDoNothing().returning({ id: projects.id });
  return row?.id;
}

export async function findOwnProject(tx: Tx, userId: string, id: string) {
  const [row] = await tx.select().from(projects).where(isOwn(userId, id));
  return row;
}

export async function findOwnProjectByName(db: Db | Tx, userId: string, name: string) {
  const isIt = and(eq(projects.name, name), eq(projects.userId, userId), isNull(projects.archivedAt), isNoCopy);
  const [row] = await db.select().from(projects).where(isIt);
  return row;
}

export type ArchivedProject = NonNullable<Awaited<ReturnType<typeof archive>>>;

/** Archives the customer's project and deletes its domains, which it returns; undefined if it is not theirs. */
export function archiveOwnProject(tx: Tx, userId: string, id: string) {
  return archive(tx, isOwn(userId, id));
}

/** The same for the project of a subscription that ended at the provider. */
export function archiveProjectOf(tx: Tx, subId: string) {
  return archive(tx, and(eq(projects.subId, subId), isNull(projects.archivedAt), isNoCopy));
}

async function archive(tx: Tx, condition: SQL | undefined) {
  const [row] = await tx.update(projects).set({ archivedAt: sql`now()` }).where(condition).returning();
  if (!row) return undefined;
  const { name, domain, branch, redirectsTo, isPrimary } = domains;
  const removed = await tx
    .delete(domains)
    .where(eq(domains.projectId, row.id))
    .returning({ name, domain, branch, redirectsTo, isPrimary });
  return { ...row, domains: removed };
}

/** Restores an archived project. One that an operator holds stays suspended. */
export async function unarchiveProject(tx: Tx, id: string) {
  await tx.update(projects).set({ archivedAt: null, status: statusOfPaid }).where(eq(projects.id, id));
}

/** Takes an archived project back. Its site is still being restored. */
export async function beginRestoring(tx: Tx, id: string) {
  await tx.update(projects).set({ archivedAt: null, status: "provisioning" }).where(eq(projects.id, id));
}

/** Ends the restoring of a site; false if the project was deleted meanwhile. */
export async function finishRestoring(tx: Tx, id: string): Promise<boolean> {
  const isRestoring = and(eq(projects.id, id), eq(projects.status, "provisioning"), isNull(projects.archivedAt));
  const rows = await tx
    .update(projects)
    .set({ status: statusOfPaid })
    .where(isRestoring)
    .returning({ id: projects.id });
  return rows.length > 0;
}

const statusOfPaid = sql`case when ${projects.heldAt} is null then 'active' else 'suspended' end`;

/** The customer's deleted project of this name or id, while its archive is kept. */
export async function findOwnArchived(db: Db | Tx, userId: string, which: { name: string } | { id: string }) {
  const isIt = "name" in which ? eq(projects.name, which.name) : eq(projects.id, which.id);
  const [row] = await db
    .select()
    .from(projects)
    .where(and(isIt, eq(projects.userId, userId), isNotNull(projects.archivedAt)));
  return row;
}

/** Another subscription pays for the project from now on. */
export async function setPurchase(tx: Tx, id: string, purchase: Pick<NewProject, "subId" | "recipe" | "recipeId">) {
  await tx.update(projects).set(purchase).where(isWithCopy(id));
}

export function findArchivedLongAgo(db: Db, days: number) {
  return db.select({ id: projects.id, userId: projects.userId }).from(projects).where(wasArchivedBefore(days));
}

/** Deletes an archived project, which frees its name. Returns its subscription; undefined if it has been restored meanwhile. */
export async function deleteArchivedProject(tx: Tx, id: string, days: number): Promise<string | undefined> {
  const [row] = await tx
    .delete(projects)
    .where(and(eq(projects.id, id), wasArchivedBefore(days)))
    .returning({ subId: projects.subId });
  return row?.subId;
}

export async function setProjectStatus(tx: Tx, id: string, status: Status) {
  await tx.update(projects).set({ status }).where(eq(projects.id, id));
}

/** Only an active project is suspended: one that was archived or held meanwhile stays as it is. Returns it. */
export async function suspendProject(tx: Tx, id: string) {
  const isActive = and(eq(projects.status, "active"), isNull(projects.archivedAt));
  const rows = await tx
    .update(projects)
    .set({ status: "suspended" })
    .where(and(isWithCopy(id), isActive))
    .returning();
  return rows.find((row) => row.id === id);
}

export async function setDiskUsed(tx: Tx, id: string, bytes: number | SQL) {
  await tx.update(projects).set({ diskUsed: bytes }).where(eq(projects.id, id));
}

/** Undefined if the project is not the customer's. */
export async function setHstsOfOwn(tx: Tx, userId: string, id: string, hasHsts: boolean) {
  const [row] = await tx.update(projects).set({ hasHsts }).where(isOwn(userId, id)).returning();
  return row;
}

/** Resumes the suspended project of a subscription that is paid again, unless an operator holds it. Returns it. */
export async function resumeProjectOf(tx: Tx, subId: string) {
  const isSuspended = and(eq(projects.status, "suspended"), isNull(projects.heldAt), isNull(projects.archivedAt));
  const isIt = and(eq(projects.subId, subId), isSuspended);
  const rows = await tx.update(projects).set({ status: "active" }).where(isIt).returning();
  return rows.find((row) => row.stagingOf === null);
}

export async function setHeld(tx: Tx, id: string, isHeld: boolean) {
  const change = isHeld
    ? { heldAt: sql`now()`, status: "suspended" as const }
    : { heldAt: null, status: "active" as const };
  // A staging copy that is being made stays as it is.
  const isMeant = or(eq(projects.id, id), and(eq(projects.stagingOf, id), ne(projects.status, "provisioning")));
  await tx.update(projects).set(change).where(isMeant);
}

/** A project that an operator can hold or release: one that was provisioned and is not archived. */
export async function findHoldable(db: Db | Tx, name: string) {
  const isProvisioned = inArray(projects.status, ["active", "suspended"]);
  const [row] = await db
    .select()
    .from(projects)
    .where(and(eq(projects.name, name), isProvisioned, isNull(projects.archivedAt), isNoCopy));
  return row;
}

/** An archived project keeps its name until its archive is removed. */
export async function isNameTaken(db: Db | Tx, name: string): Promise<boolean> {
  const rows = await db.select({ id: projects.id }).from(projects).where(eq(projects.name, name));
  return rows.length > 0;
}

function isOwn(userId: string, id: string) {
  // Compared as text, so that a malformed id is an unknown id and not a database error.
  return and(eq(sql`${projects.id}::text`, id), eq(projects.userId, userId), isNull(projects.archivedAt), isNoCopy);
}

function isWithCopy(id: string) {
  return or(eq(projects.id, id), eq(projects.stagingOf, id));
}

function wasArchivedBefore(days: number) {
  return lt(projects.archivedAt, sql`now() - make_interval(days => ${days})`);
}

/** The project that a subscription pays for. */
export async function findProjectOf(tx: Tx, subId: string) {
  const [row] = await tx
    .select()
    .from(projects)
    .where(and(eq(projects.subId, subId), isNull(projects.archivedAt), isNoCopy));
  return row;
}

/** Reserves the staging copy of a project; undefined if it has one. */
export function insertStaging(tx: Tx, { userId, name, recipe, recipeId, subId, id }: typeof projects.$inferSelect) {
  const copy = { userId, name: `${stagingBranch}--${name}`, recipe, recipeId, subId, stagingOf: id } as const;
  return insertProject(tx, { ...copy, status: "provisioning" });
}

/** Returns the id of the staging copy; undefined if there was none. */
export async function deleteStaging(db: Db | Tx, id: string): Promise<string | undefined> {
  const [row] = await db.delete(projects).where(eq(projects.stagingOf, id)).returning({ id: projects.id });
  return row?.id;
}
