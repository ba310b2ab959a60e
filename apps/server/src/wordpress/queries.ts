import { type Language, noRules } from "@nido/contract";
import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { backups, checkouts, projects, users, wordpressSites } from "../db/schema.ts";
import { rulesVersion } from "../domains/findSite.ts";
import { primaryDomain } from "../domains/servedDomains.ts";
import type { RuntimeName } from "./WordPressRuntime.ts";

/** A project whose WordPress is to be installed; undefined if it no longer waits for that. */
export async function findProvisioning(db: Db, projectId: string) {
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
    .where(isProvisioning(projectId));
  return row;
}

/** Whether the project still waits for its WordPress. Locks its row until the transaction ends. */
export async function lockProvisioning(tx: Tx, projectId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(isProvisioning(projectId))
    .for("no key update");
  return rows.length > 0;
}

function isProvisioning(projectId: string) {
  return and(eq(projects.id, projectId), eq(projects.status, "provisioning"), isNull(projects.archivedAt));
}

interface NewSite {
  projectId: string;
  username: string;
  lang: Language;
  core: string;
  /** null: the runtime has no choice */
  php: string | null;
  runtime: RuntimeName;
  taskId: string;
}

export async function saveSite(db: Db, site: NewSite) {
  await db
    .insert(wordpressSites)
    .values(site)
    .onConflictDoUpdate({
      target: wordpressSites.projectId,
      set: { core: site.core, php: site.php, runtime: site.runtime, taskId: site.taskId },
    });
}

/** Sites without a PHP version of their own get this one: a newer PHP on the machine must not change them by itself. */
export async function setMissingPhp(db: Db, runtime: RuntimeName, php: string) {
  await db
    .update(wordpressSites)
    .set({ php })
    .where(and(eq(wordpressSites.runtime, runtime), isNull(wordpressSites.php)));
}

/** The task whose progress the customer watches; undefined if the installation never began. */
export async function findTaskOfSite(tx: Tx, projectId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ taskId: wordpressSites.taskId })
    .from(wordpressSites)
    .where(eq(wordpressSites.projectId, projectId));
  return row?.taskId ?? undefined;
}

/** The WordPress administrator's name, as it was chosen with the purchase; empty for a static site. */
export async function findUsername(tx: Tx, { subId }: { subId: string }): Promise<string> {
  const [row] = await tx.select({ username: checkouts.username }).from(checkouts).where(eq(checkouts.subId, subId));
  return row?.username ?? "";
}

export async function setTaskOfSite(tx: Tx, projectId: string, taskId: string) {
  await tx.update(wordpressSites).set({ taskId }).where(eq(wordpressSites.projectId, projectId));
}

/** The customer's WordPress project, if it is active. */
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
  stagingOf: projects.stagingOf,
  status: projects.status,
  archivedAt: projects.archivedAt,
  diskUsed: projects.diskUsed,
  core: wordpressSites.core,
  php: wordpressSites.php,
  runtime: wordpressSites.runtime,
  isMoving: wordpressSites.isMoving,
  isMaintained: wordpressSites.isMaintained,
  refusedCore: wordpressSites.refusedCore,
  wantsMajors: wordpressSites.wantsMajors,
  checkedPages: wordpressSites.checkedPages,
  refusedUpdates: wordpressSites.refusedUpdates,
  copiedAt: wordpressSites.copiedAt,
  mailSuspendedAt: wordpressSites.mailSuspendedAt,
  memoryPeak: wordpressSites.memoryPeak,
  primary: primaryDomain(),
};
export type SiteRow = Awaited<ReturnType<typeof findSites>>[number];

/** Provisioned WordPress sites that are not archived, suspended ones included. */
export async function findSites(db: Db, condition: SQL | undefined, order: SQL = asc(projects.id), limit = 1000) {
  return db
    .select(shown)
    .from(wordpressSites)
    .innerJoin(projects, eq(wordpressSites.projectId, projects.id))
    .where(and(inArray(projects.status, ["active", "suspended"]), isNull(projects.archivedAt), condition))
    .orderBy(order)
    .limit(limit);
}

/** A WordPress site in any status, archived or not, by its project's id. */
export async function findWordPress(db: Db, projectId: string): Promise<SiteRow | undefined> {
  const [row] = await db
    .select(shown)
    .from(projects)
    .innerJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .where(eq(projects.id, projectId));
  return row;
}

/** Those of the ids that are of sites which are not archived. */
export async function findLivingSites(db: Db, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(inArray(sql`${projects.id}::text`, ids), isNull(projects.archivedAt)));
  return new Set(rows.map(({ id }) => id));
}

/** The staging copy of a site. */
export async function findStaging(db: Db | Tx, projectId: string): Promise<SiteRow | undefined> {
  const [row] = await db
    .select(shown)
    .from(projects)
    .innerJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .where(eq(projects.stagingOf, projectId));
  return row;
}

/** The owner's redirects, root files and uncached paths. */
export async function findRules(db: Db, projectId: string) {
  const [row] = await db
    .select({ rules: wordpressSites.rules, version: rulesVersion })
    .from(wordpressSites)
    .where(eq(wordpressSites.projectId, projectId));
  return { rules: row?.rules ?? noRules, version: row?.version ?? null };
}

/** The staging copy runs as the site does, until it is updated or pushed. */
export async function copySiteRow(tx: Tx, projectId: string, stagingId: string) {
  await tx.execute(sql`
    insert into ${wordpressSites} (project_id, username, lang, core, runtime)
    select ${stagingId}, username, lang, core, runtime from ${wordpressSites} where project_id = ${projectId}`);
}

/** Stops the sending of a site's mail, until an operator allows it again. */
export async function suspendMail(db: Db, projectId: string) {
  await db.update(wordpressSites).set({ mailSuspendedAt: sql`now()` }).where(eq(wordpressSites.projectId, projectId));
}

export async function allowMail(db: Db, projectId: string) {
  await db
    .update(wordpressSites)
    .set({ mailSuspendedAt: null, mailDueAt: sql`now()` })
    .where(eq(wordpressSites.projectId, projectId));
}

type Change = Partial<
  Pick<
    typeof wordpressSites.$inferInsert,
    | "core"
    | "php"
    | "refusedCore"
    | "runtime"
    | "isMoving"
    | "isMaintained"
    | "work"
    | "copiedAt"
    | "wantsMajors"
    | "checkedPages"
    | "refusedUpdates"
  >
>;

/** Ends a move: the site runs at its new place from now on. */
export async function switchRuntime(
  tx: Tx,
  { id, runtime }: SiteRow,
  to: { runtime: RuntimeName; core: string; php: string | null },
) {
  const rows = await tx
    .update(wordpressSites)
    .set({ ...to, isMoving: false })
    .where(
      and(eq(wordpressSites.projectId, id), eq(wordpressSites.runtime, runtime), eq(wordpressSites.isMoving, true)),
    )
    .returning({ id: wordpressSites.projectId });
  if (rows.length === 0) throw new Error("the site is not being moved any longer");
}

export async function updateWordPress(tx: Tx, projectId: string, change: Change) {
  await tx.update(wordpressSites).set(change).where(eq(wordpressSites.projectId, projectId));
}

/** Updates that are not made by themselves again. The newest are kept. */
export async function refuseUpdates(tx: Tx, projectId: string, targets: Record<string, string>) {
  const added = Object.entries(targets).map(([id, version]) => `${id} ${version}`);
  const [row] = await tx
    .select({ refused: wordpressSites.refusedUpdates })
    .from(wordpressSites)
    .where(eq(wordpressSites.projectId, projectId));
  const refusedUpdates = [...new Set([...(row?.refused ?? []), ...added])].slice(-maxRefused);
  await updateWordPress(tx, projectId, { refusedUpdates });
}

const maxRefused = 200;

/** The owner undoes an update: neither it nor the WordPress version that the site has now comes back by itself. */
export async function refuseUndone(tx: Tx, projectId: string, targets: Record<string, string>) {
  await refuseUpdates(tx, projectId, targets);
  await tx
    .update(wordpressSites)
    .set({ refusedCore: wordpressSites.core })
    .where(eq(wordpressSites.projectId, projectId));
}

/** The WordPress versions that sites have, archived ones included, or had before an update that can be undone. */
export async function findCores(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ core: string }>(sql`
    select core from ${wordpressSites} union select core from ${backups} where reason in ('update', 'restore', 'push')`);
  return rows.map(({ core }) => core);
}

/** All WordPress sites with their owners, for operators. */
export async function findAll(db: Db) {
  return db
    .select({ ...shown, email: users.email })
    .from(projects)
    .innerJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .innerJoin(users, eq(users.id, projects.userId))
    .orderBy(projects.name);
}

/** The data that is needed to repeat a failed provisioning. */
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
