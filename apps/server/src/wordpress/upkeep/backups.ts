import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { isUnsaved, markBackedUp, resetReport } from "../dueSites.ts";
import { findWordPress } from "../queries.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";

const maxBackups = 7;

export async function backUpSite(wordpress: WordPress, projectId: string, isNightly = false) {
  if (isNightly && !(await isUnsaved(wordpress.db, projectId))) return;
  const row = await findWordPress(wordpress.db, projectId);
  if (row && !row.archivedAt) await backUp(wordpress, siteOf(wordpress, row));
}

/** Tells the customer, at most once a day. */
export async function reportFailedBackup({ db }: WordPress, projectId: string) {
  const row = await findWordPress(db, projectId);
  if (!row) return;
  const { userId, name } = row;
  const key = `backup ${projectId} ${new Date().toISOString().slice(0, 10)}`;
  await db.transaction(async (tx) => {
    await mailCustomer(tx, userId, "backupFailed", { projectId, name }, key);
    const entry = { kind: "backupFailed", params: { project: name }, projectId, key } as const;
    if (await record(tx, userId, platform, entry)) await announceChange(tx, userId);
  });
}

/**
 * Archives a site's files and a consistent copy of its database. Deletes the oldest backups, except `spared`, unless all
 * are to be kept.
 */
export async function backUp(
  { db, runtimeOf, backups, signal }: WordPress,
  site: Site,
  { spared, keepsAll = false }: { spared?: string; keepsAll?: boolean } = {},
): Promise<string> {
  const began = new Date();
  const name = await backups.add(site.id, await runtimeOf(site).pack(site, signal));
  await markBackedUp(db, site.id, began);
  const old = keepsAll ? [] : (await backups.list(site.id)).slice(maxBackups);
  for (const each of old) if (each !== spared) await backups.remove(site.id, each);
  return name;
}

/** Replaces a site with a backup of it. */
export async function restoreBackup({ db, runtimeOf, backups, reports }: WordPress, site: Site, name: string) {
  const backup = backups.open(site.id, name);
  try {
    await runtimeOf(site).restore(site, backup);
  } finally {
    await backup.close();
  }
  reports.forget(site.id);
  await resetReport(db, site.id);
}
