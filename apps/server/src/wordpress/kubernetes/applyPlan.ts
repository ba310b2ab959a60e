import { resourcesOf } from "@nido/contract";
import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { StoredWork } from "../../db/schema.ts";
import { resetReport } from "../dueSites.ts";
import { holdVisitors } from "../lifecycle/holdVisitors.ts";
import { requireEmptyOutbox } from "../lifecycle/transferSite.ts";
import { findWordPress, type SiteRow, updateWordPress } from "../queries.ts";
import { backUp } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { findWork, isIdle, progressOf, startWork } from "../work.ts";
import type { KubernetesRuntime } from "./KubernetesRuntime.ts";

/** The id of the work. There is one such job for each site. */
const planRequest = "plan";
/** The rest of a new volume stays free: its file system needs some space for itself. */
const usablePart = 0.95;

/** Gives a site the memory and the disk of its plan. If anything fails, the site keeps its volume, and it is tried again. */
export async function applyPlan(wordpress: WordPress, runtime: KubernetesRuntime, projectId: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row || row.runtime !== runtime.name) return;
  const work = await begin(wordpress, row);
  if (!work) throw new Error("the site is being worked on");
  try {
    // Otherwise it will be installed or restored with this plan.
    const isThere = !row.archivedAt && (await runtime.installedCore(projectId)) !== undefined;
    if (isThere) await apply(wordpress, runtime, row, work);
  } finally {
    await end(wordpress, row);
  }
}

/**
 * A volume that the cluster cannot resize is replaced by a new one, by way of a backup. Meanwhile PHP runs for no visitor,
 * and cached pages are served.
 */
async function apply(wordpress: WordPress, runtime: KubernetesRuntime, row: SiteRow, work: StoredWork) {
  const { db, backups, reports, log } = wordpress;
  const site = siteOf(wordpress, { ...row, isMoving: false });
  // Also brings back the old volume after an attempt that was interrupted.
  await runtime.update(site);
  await runtime.removeOldVolumes(row.id);
  const used = await runtime.diskUse(row.id);
  if (used > resourcesOf(row.recipe).disk * usablePart)
    return log.warn({ project: row.id, used }, "a site keeps its volume: its new plan has too little disk");
  if (await runtime.resizeVolume(site)) return;
  await requireEmptyOutbox(runtime, row.id);
  const held = await holdVisitors(wordpress, row, work);
  await runtime.stopSite(row.id);
  await requireEmptyOutbox(runtime, row.id);
  const show = progressOf(db, row, held);
  const name = await backUp(wordpress, site, { reason: "plan", keepsAll: true, onProgress: (part) => show(part / 2) });
  const backup = backups.open(row.id, name);
  try {
    await runtime.replaceVolume(site, backup);
  } finally {
    await backup.close();
  }
  reports.forget(row.id);
  await resetReport(db, row.id);
  if (row.stagingOf) await backups.removeAll(row.id);
}

/** Undefined if the site's owner is doing something else, or has to repair what went wrong. */
async function begin({ db }: WordPress, { id, userId }: SiteRow): Promise<StoredWork | undefined> {
  return db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    const known = await findWork(tx, id);
    if (known?.id === planRequest) return known;
    if (known?.snapshot || !(await isIdle(tx, id))) return undefined;
    const work: StoredWork = { id: planRequest, kind: "plan", progress: 0 };
    await startWork(tx, id, work);
    await announceChange(tx, userId);
    return work;
  });
}

/** PHP runs for visitors again. */
async function end({ db }: WordPress, { id, userId }: SiteRow) {
  await db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    if ((await findWork(tx, id))?.id !== planRequest) return;
    await updateWordPress(tx, id, { work: null, isMoving: false });
    await announceChange(tx, userId);
  });
}
