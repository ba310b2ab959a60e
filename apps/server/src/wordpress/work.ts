import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { projects, type StoredWork, wordpressSites } from "../db/schema.ts";
import { findJob } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import {
  applyPlanJob,
  copyToStagingJob,
  makeBackupJob,
  moveInJob,
  restoreOwnSiteJob,
  updateByItselfJob,
  updateOwnSiteJob,
} from "./jobs.ts";
import { type SiteRow, updateWordPress } from "./queries.ts";

type Owned = Pick<SiteRow, "id" | "userId">;

const progressMs = 2000;

const jobs = {
  backup: [makeBackupJob],
  restore: [restoreOwnSiteJob],
  push: [restoreOwnSiteJob],
  copy: [copyToStagingJob],
  update: [updateOwnSiteJob, updateByItselfJob],
  moveIn: [moveInJob],
  plan: [applyPlanJob],
};

/** What a site's owner asked for, while it runs, or if it failed. */
export async function findWork(db: Db | Tx, projectId: string): Promise<StoredWork | null> {
  const [row] = await db
    .select({ work: wordpressSites.work })
    .from(wordpressSites)
    .where(eq(wordpressSites.projectId, projectId));
  return row?.work ?? null;
}

/** Throws if there is work under way. The owner's row must be locked. */
export async function requireIdle(tx: Tx, projectId: string) {
  if (!(await isIdle(tx, projectId))) throw new AppError("error_site_busy");
}

export async function isIdle(tx: Tx, projectId: string): Promise<boolean> {
  return !(await isUnderWay(tx, projectId, await findWork(tx, projectId)));
}

/** False also if its worker has vanished for good. */
async function isUnderWay(db: Db | Tx, projectId: string, work: StoredWork | null): Promise<boolean> {
  if (!work || work.has_failed) return false;
  for (const job of jobs[work.kind]) {
    const found = await findJob(db, job, projectId);
    if (found && !found.is_over) return true;
  }
  return false;
}

/** Begins what the owner of a site asks for. Returns the id of the request. */
export async function beginWork(tx: Tx, projectId: string, work: Pick<StoredWork, "kind" | "backup">): Promise<string> {
  await requireIdle(tx, projectId);
  const id = randomUUID();
  await startWork(tx, projectId, { ...work, id, progress: 0 });
  return id;
}

/** Begins work with a known id. */
export async function startWork(tx: Tx, projectId: string, work: StoredWork) {
  const { snapshot } = (await findWork(tx, projectId)) ?? {};
  // After a failed attempt that left only half a site, its snapshot is the last whole one, which a restore takes up.
  const isTakenUp = snapshot && (work.kind === "restore" || work.kind === "push");
  await updateWork(tx, projectId, { ...work, ...(isTakenUp && { snapshot }) });
}

async function updateWork(tx: Tx, projectId: string, work: StoredWork | null) {
  await tx.update(wordpressSites).set({ work }).where(eq(wordpressSites.projectId, projectId));
}

/** Shows the owner what is done to the site, together with another change. */
export async function setWork(db: Db, site: Owned, work: StoredWork | null, change?: (tx: Tx) => Promise<unknown>) {
  await db.transaction(async (tx) => {
    await lockUser(tx, site.userId);
    await updateWork(tx, site.id, work);
    await change?.(tx);
    await announceChange(tx, site.userId);
  });
}

/** Reports progress to the owner, every two seconds at most. */
export function progressOf(db: Db, site: Owned, work: StoredWork) {
  let reportedAt = 0;
  return async (progress: number) => {
    if (Date.now() - reportedAt < progressMs) return;
    reportedAt = Date.now();
    await setWork(db, site, { ...work, progress });
  };
}

/** The work will not be tried again. */
export async function failWork(db: Db, site: Owned, { id }: { id: string }) {
  const work = await findWork(db, site.id);
  if (work?.id !== id) return;
  const { holdsVisitors, ...rest } = work;
  await setWork(db, site, { ...rest, has_failed: true }, async (tx) => {
    if (holdsVisitors) await updateWordPress(tx, site.id, { isMoving: false });
  });
}

/** A failed backup no longer matters once there is another. */
export async function forgetFailedBackup(db: Db, projectId: string) {
  const { work } = wordpressSites;
  const isFailed = sql`${work} @> '{"kind": "backup", "has_failed": true}'`;
  await db
    .update(wordpressSites)
    .set({ work: null })
    .where(and(eq(wordpressSites.projectId, projectId), isFailed));
}

/** The same for every site: nobody may be looking at it, and its visitors may be held. */
export async function failAllVanishedWork(db: Db) {
  const { work } = wordpressSites;
  const isRunning = sql`${work} is not null and not ${work} @> '{"has_failed": true}'`;
  const sites = await db
    .select({ id: projects.id, userId: projects.userId })
    .from(wordpressSites)
    .innerJoin(projects, eq(projects.id, wordpressSites.projectId))
    .where(isRunning);
  for (const site of sites) await failVanishedWork(db, site);
}

/** Shows that work has failed whose worker has vanished. */
export async function failVanishedWork(db: Db, site: Owned) {
  const work = await findWork(db, site.id);
  if (work && !work.has_failed && !(await isUnderWay(db, site.id, work))) await failWork(db, site, work);
}
