import type { SiteWork } from "@nido/contract";
import { eq } from "drizzle-orm";
import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { wordpressSites } from "../db/schema.ts";
import { findJob } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import { makeBackupJob, restoreSiteJob } from "./jobs.ts";
import type { SiteRow } from "./queries.ts";

type Work = typeof wordpressSites.$inferSelect.work;

const progressMs = 2000;

export async function findWork(db: Db | Tx, projectId: string): Promise<Work> {
  const [row] = await db
    .select({ work: wordpressSites.work })
    .from(wordpressSites)
    .where(eq(wordpressSites.projectId, projectId));
  return row?.work ?? null;
}

/** Throws if a backup or restore that the owner asked for is under way. The owner's row must be locked. */
export async function requireIdle(tx: Tx, projectId: string) {
  const work = await findWork(tx, projectId);
  if (!work || work.has_failed) return;
  const job = await findJob(tx, work.kind === "backup" ? makeBackupJob : restoreSiteJob, projectId);
  if (job && !job.is_over) throw new AppError("error_site_busy");
}

export async function updateWork(tx: Tx, projectId: string, work: Work) {
  await tx.update(wordpressSites).set({ work }).where(eq(wordpressSites.projectId, projectId));
}

/** Shows the owner what is done to the site, together with another change. */
export async function setWork(db: Db, site: SiteRow, work: Work, change?: (tx: Tx) => Promise<unknown>) {
  await db.transaction(async (tx) => {
    await lockUser(tx, site.userId);
    await updateWork(tx, site.id, work);
    await change?.(tx);
    await announceChange(tx, site.userId);
  });
}

/** Reports progress to the owner, every two seconds at most. */
export function showProgress(db: Db, site: SiteRow, kind: SiteWork["kind"]) {
  let reportedAt = 0;
  return async (part: number) => {
    if (Date.now() - reportedAt < progressMs) return;
    reportedAt = Date.now();
    await setWork(db, site, { ...(await findWork(db, site.id)), kind, progress: part });
  };
}

/** The job will not be tried again. */
export async function reportFailedWork(db: Db, site: SiteRow | undefined) {
  const work = site && (await findWork(db, site.id));
  if (site && work) await setWork(db, site, { ...work, has_failed: true });
}
