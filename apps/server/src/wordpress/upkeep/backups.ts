import { Readable } from "node:stream";
import { type Actor, type BackupReason, keptBackups, undoDays } from "@nido/contract";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { backupDate } from "../BackupStore.ts";
import { deleteBackupRow, findBackupRows, insertBackupRow } from "../backupRows.ts";
import { isUnsaved, markBackedUp, resetReport } from "../dueSites.ts";
import { findWordPress } from "../queries.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";
import { setWork, showProgress } from "../work.ts";

const maxForUndo = 10;

interface Options {
  reason?: BackupReason;
  note?: string;
  /** a backup that is not deleted */
  spared?: string;
  keepsAll?: boolean;
  onProgress?: (part: number) => Promise<void>;
}

export async function backUpSite(wordpress: WordPress, projectId: string, isNightly = false) {
  if (isNightly && !(await isUnsaved(wordpress.db, projectId))) return;
  const row = await findWordPress(wordpress.db, projectId);
  if (row && !row.archivedAt) await backUp(wordpress, siteOf(wordpress, row));
}

/** Makes the backup that a site's owner asked for. */
export async function makeBackup(wordpress: WordPress, projectId: string, note: string, actor: Actor) {
  const { db } = wordpress;
  const row = await findWordPress(db, projectId);
  if (!row || row.archivedAt) return;
  const onProgress = showProgress(db, row, "backup");
  await backUp(wordpress, siteOf(wordpress, row), { reason: "manual", note, onProgress });
  await setWork(db, row, null, (tx) =>
    record(tx, row.userId, actor, { kind: "backupMade", params: { project: row.name, note }, projectId }),
  );
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

/** Archives a site's files and a consistent copy of its database, and deletes backups that are no longer kept. */
export async function backUp(wordpress: WordPress, site: Site, options: Options = {}): Promise<string> {
  const { db, runtimeOf, backups, signal } = wordpress;
  const { reason = "nightly", note = "", onProgress } = options;
  const began = new Date();
  const [last] = await findBackupRows(db, site.id);
  let size = 0;
  async function* counted(content: Readable) {
    for await (const chunk of content) {
      size += chunk.length;
      // The size of the last backup is the best guess.
      await onProgress?.(last ? Math.min(size / last.size, 0.95) : 0);
      yield chunk;
    }
  }
  const name = await backups.add(site.id, Readable.from(counted(await runtimeOf(site).pack(site, signal))));
  await insertBackupRow(db, { projectId: site.id, name, reason, note, size, core: site.core });
  await markBackedUp(db, site.id, began);
  if (!options.keepsAll) await removeOldBackups(wordpress, site, options.spared);
  return name;
}

async function removeOldBackups({ db, backups }: WordPress, { id, recipe }: Site, spared: string | undefined) {
  const names = await backups.list(id);
  const reasons = new Map((await findBackupRows(db, id)).map(({ name, reason }) => [name, reason]));
  const { nightly, manual } = keptBackups(recipe);
  const groups = Map.groupBy(names, (name) => groupOf(reasons.get(name)));
  const isOld = (name: string) => Date.now() - backupDate(name).getTime() > undoDays * 86_400_000;
  const old = [
    ...(groups.get("nightly")?.slice(nightly) ?? []),
    ...(groups.get("manual")?.slice(manual) ?? []),
    ...(groups.get("undo")?.filter((name, index) => index >= maxForUndo || isOld(name)) ?? []),
  ];
  for (const name of old) {
    if (name === spared) continue;
    await backups.remove(id, name);
    await deleteBackupRow(db, id, name);
  }
}

/** A backup of which nothing is known was made before there were rows, or its row was lost: it counts as a nightly one. */
function groupOf(reason: BackupReason = "nightly") {
  return reason === "nightly" || reason === "manual" ? reason : "undo";
}

/** Replaces a site with a backup of it, or the files with those of one and the rest with that of another. */
export async function restoreBackup(
  { db, runtimeOf, backups, reports }: WordPress,
  site: Site,
  source: string | { files: string; rest: string },
) {
  const backup = typeof source === "string" ? backups.open(site.id, source) : backups.openMerged(site.id, source);
  try {
    await runtimeOf(site).restore(site, backup);
  } finally {
    await backup.close();
  }
  reports.forget(site.id);
  await resetReport(db, site.id);
}
