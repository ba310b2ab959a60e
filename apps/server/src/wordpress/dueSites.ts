import { and, asc, eq, inArray, isNull, lt, lte, ne, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../db/connect.ts";
import { projects, wordpressSites } from "../db/schema.ts";
import { pagesChannel } from "./PageGenerations.ts";
import { findSites, type SiteRow } from "./queries.ts";
import type { RuntimeName, SiteReport } from "./WordPressRuntime.ts";

const { nextCronAt, mailDueAt, measuredAt, backedUpAt, activeAt } = wordpressSites;

/** If the process that claimed a site dies, the site is due again after this time. */
const claimed = sql`now() + interval '10 minutes'`;
/** Set back by more than the delay with which activity is recorded, so that no activity is missed. */
const shortlyBefore = sql`now() - interval '20 minutes'`;

/**
 * Records what a site reports, and that it is in use: by a visitor, or because its pages have changed. Returns whether
 * they have; then all processes are notified.
 */
export async function recordReport(
  db: Db,
  projectId: string,
  { pages, nextCron, hasMail, memoryPeak }: SiteReport,
  isUse: boolean,
) {
  const cronAt =
    nextCron === undefined
      ? sql`next_cron_at`
      : nextCron === 0
        ? sql`null::timestamptz`
        : sql`to_timestamp(${nextCron}::float8)`;
  const mailAt = hasMail ? sql`least(coalesce(mail_due_at, now()), now())` : sql`mail_due_at`;
  const peak = memoryPeak === undefined ? sql`memory_peak` : sql`${memoryPeak}::bigint`;
  const isOther = sql`pages_version is distinct from ${pages}::text`;
  const { rows } = await db.execute(sql`
    with known as (select ${isOther} as is_other from ${wordpressSites} where project_id = ${projectId} for update),
    changed as (
      update ${wordpressSites} set pages_generation = pages_generation + is_other::int, pages_version = ${pages},
        next_cron_at = ${cronAt}, mail_due_at = ${mailAt}, memory_peak = ${peak},
        active_at = case when is_other or ${isUse} then now() else active_at end
      from known
      where project_id = ${projectId} and (is_other or next_cron_at is distinct from ${cronAt}
        or mail_due_at is distinct from ${mailAt} or memory_peak is distinct from ${peak} or (${isUse} and active_at < now() - interval '10 minutes'))
      returning project_id, is_other)
    select ${announced} from changed where is_other`);
  return rows.length > 0;
}

/** For a site that was replaced as a whole: its pages have changed, and its WP-Cron and its outbox are due. */
export async function resetReport(db: Db, projectId: string) {
  await db.execute(sql`
    with changed as (
      update ${wordpressSites} set pages_generation = pages_generation + 1, next_cron_at = now(), mail_due_at = now(),
        active_at = now()
      where project_id = ${projectId} returning project_id)
    select ${announced} from changed`);
}

/** Ends all cached pages of a site. */
export async function purgePages(db: Db | Tx, projectId: string) {
  await db.execute(sql`
    with changed as (
      update ${wordpressSites} set pages_generation = pages_generation + 1
      where project_id = ${projectId} returning project_id)
    select ${announced} from changed`);
}

const announced = sql`pg_notify(${pagesChannel}, project_id::text)`;

/** The generation of a site's pages; undefined if there is no such site. */
export async function findGeneration(db: Db, projectId: string): Promise<number | undefined> {
  const [row] = await db
    .select({ generation: wordpressSites.pagesGeneration })
    .from(wordpressSites)
    .where(eq(wordpressSites.projectId, projectId));
  return row?.generation;
}

/** Claims sites whose WP-Cron is due, the longest waiting first. Those that are suspended or being moved are only postponed. */
export async function claimCron(db: Db, limit: number): Promise<SiteRow[]> {
  const sites = await claim(db, nextCronAt, limit);
  return sites.filter(({ status, isMoving }) => status === "active" && !isMoving);
}

/** For claimed sites that were not run: they stay due. */
export async function releaseCron(db: Db, ids: string[]) {
  if (ids.length === 0) return;
  await db.update(wordpressSites).set({ nextCronAt: sql`now()` }).where(inArray(wordpressSites.projectId, ids));
}

/** Claims sites that have mail to send. */
export function claimMail(db: Db, limit: number): Promise<SiteRow[]> {
  return claim(db, mailDueAt, limit, isNull(wordpressSites.mailSuspendedAt));
}

/** The outbox is looked at again at this time, or never if it is empty; sooner if the site reports new mail. */
export async function postponeMail(db: Db, projectId: string, until: SQL | null) {
  await db
    .update(wordpressSites)
    .set({ mailDueAt: until })
    // Otherwise the site has reported mail since the outbox was claimed.
    .where(and(eq(wordpressSites.projectId, projectId), sql`${mailDueAt} > now()`));
}

/** The site's outbox is looked at within a minute. */
export async function requestMail(db: Db, projectId: string) {
  await db.update(wordpressSites).set({ mailDueAt: sql`now()` }).where(eq(wordpressSites.projectId, projectId));
}

async function claim(db: Db, due: PgColumn, limit: number, isMeant?: SQL): Promise<SiteRow[]> {
  const waiting = db
    .select({ id: wordpressSites.projectId })
    .from(wordpressSites)
    .where(and(lte(due, sql`now()`), isMeant))
    .orderBy(asc(due))
    .limit(limit)
    .for("update", { skipLocked: true });
  const rows = await db
    .update(wordpressSites)
    .set({ [due === mailDueAt ? "mailDueAt" : "nextCronAt"]: claimed })
    .where(inArray(wordpressSites.projectId, waiting))
    .returning({ id: wordpressSites.projectId });
  const ids = rows.map(({ id }) => id);
  return ids.length > 0 ? findSites(db, inArray(projects.id, ids)) : [];
}

/** An archived site has nothing to do. */
export async function retireSchedule(db: Db, projectId: string) {
  await db
    .update(wordpressSites)
    .set({ nextCronAt: null, mailDueAt: null })
    .where(eq(wordpressSites.projectId, projectId));
}

/** Those of the given sites that nobody needs: no visitor, and no mail that waits. */
export async function findIdle(db: Db, ids: string[], minutes: number): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: wordpressSites.projectId })
    .from(wordpressSites)
    .innerJoin(projects, eq(projects.id, wordpressSites.projectId))
    .where(
      and(
        inArray(wordpressSites.projectId, ids),
        inArray(projects.status, ["active", "suspended"]),
        isNull(mailDueAt),
        lt(activeAt, sql`now() - ${minutes}::int * interval '1 minute'`),
      ),
    );
  return rows.map(({ id }) => id);
}

/** Sites that were in use since their disk use was last measured. */
export function findUnmeasured(db: Db, limit: number): Promise<SiteRow[]> {
  return findSites(db, sql`${activeAt} > ${measuredAt}`, asc(measuredAt), limit);
}

const isOld = lt(backedUpAt, sql`now() - interval '20 hours'`);

/** Whether the last backup of a site is not from today. */
export async function isUnsaved(db: Db, projectId: string): Promise<boolean> {
  return (await findSites(db, and(eq(wordpressSites.projectId, projectId), isOld))).length > 0;
}

/** Whether a site was in use since its last backup. */
export async function hasChanged(db: Db, projectId: string): Promise<boolean> {
  const isIt = and(eq(wordpressSites.projectId, projectId), sql`${activeAt} > ${backedUpAt}`);
  return (await findSites(db, isIt)).length > 0;
}

/** Sites that were in use since their last backup, which is not from today. */
export function findUnsaved(db: Db, limit: number): Promise<SiteRow[]> {
  const isChanged = sql`${activeAt} > ${backedUpAt}`;
  return findSites(db, and(isChanged, isOld, isNull(projects.stagingOf)), asc(backedUpAt), limit);
}

export async function markActive(db: Db, projectId: string) {
  await db.update(wordpressSites).set({ activeAt: sql`now()` }).where(eq(wordpressSites.projectId, projectId));
}

export async function markMeasured(db: Db, projectId: string) {
  await db.update(wordpressSites).set({ measuredAt: shortlyBefore }).where(eq(wordpressSites.projectId, projectId));
}

/** `began`: what changed after that may be missing from the backup. */
export async function markBackedUp(db: Db, projectId: string, began: Date) {
  await db
    .update(wordpressSites)
    .set({ backedUpAt: sql`${began.toISOString()}::timestamptz - interval '20 minutes'` })
    .where(eq(wordpressSites.projectId, projectId));
}

/** Sites of a runtime with this WordPress version whose update to another has not failed before. */
export function findOnCore(
  db: Db,
  { runtime, from, to }: { runtime: RuntimeName; from: string; to: string },
  limit: number,
): Promise<SiteRow[]> {
  const { core, refusedCore } = wordpressSites;
  const isMeant = and(eq(wordpressSites.runtime, runtime), eq(core, from), sql`${refusedCore} is distinct from ${to}`);
  return findSites(db, isMeant, asc(projects.id), limit);
}

/** Sites whose owner wants every new WordPress, and that do not have this one, which has not failed there before. */
export function findBehind(db: Db, runtime: RuntimeName, version: string, limit: number): Promise<SiteRow[]> {
  const { core, refusedCore, wantsMajors } = wordpressSites;
  const isMeant = and(
    eq(wordpressSites.runtime, runtime),
    ne(core, version),
    wantsMajors,
    sql`(${wordpressSites.work} is null or ${wordpressSites.work} @> '{"has_failed": true}')`,
    sql`${refusedCore} is distinct from ${version}`,
  );
  return findSites(db, isMeant, asc(projects.id), limit);
}
