import { Readable } from "node:stream";
import { type Actor, type BackupReason, keptBackups, resourcesOf, undoDays } from "@nido/contract";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { backupDate, type MergedBackup } from "../BackupStore.ts";
import { deleteBackupRow, findBackupRows, insertBackupRow } from "../backupRows.ts";
import { isUnsaved, markBackedUp, resetReport } from "../dueSites.ts";
import { findWordPress } from "../queries.ts";
import { readContent } from "../siteContent.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";
import { findWork, forgetFailedBackup, progressOf, setWork } from "../work.ts";

const maxForUndo = 10;
/** Changing a domain back and forth must not end the backups that undo something else. */
const maxOfDomains = 2;
/** A site can cause these itself, by changes in WordPress's own screens. */
const maxOfAdmin = 3;
/** The limit of the backups that are not nightly, in multiples of the plan's disk. */
const sharesOfPlan = 2;

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

interface Request {
  projectId: string;
  /** of the work */
  id: string;
  note: string;
  /** what waits for it */
  before?: BackupReason | undefined;
  actor: Actor;
}

/** Makes the backup that a site's owner asked for. */
export async function makeBackup(wordpress: WordPress, { projectId, id, note, before, actor }: Request) {
  const { db } = wordpress;
  const row = await findWordPress(db, projectId);
  const work = await findWork(db, projectId);
  // Otherwise it was done before, or replaced by another request.
  if (!row || work?.id !== id) return;
  // It was deleted since.
  if (row.archivedAt) return setWork(db, row, null);
  const onProgress = progressOf(db, row, work);
  await backUp(wordpress, siteOf(wordpress, row), { reason: before ?? "manual", note, onProgress });
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
  // Nobody fills the disk with backups: those that owners cause leave some of it for everybody else.
  if (["manual", "command", "admin", "restore", "push", "update", "domain"].includes(reason))
    await backups.requireRoom(last?.size ?? 0);
  const content = await readContent(wordpress, site, last);
  let size = 0;
  async function* counted(archive: Readable) {
    for await (const chunk of archive) {
      size += chunk.length;
      // The size of the last backup is the best guess.
      await onProgress?.(last ? Math.min(size / last.size, 0.95) : 0);
      yield chunk;
    }
  }
  const name = await backups.add(site.id, Readable.from(counted(await runtimeOf(site).pack(site, signal))));
  const row = { projectId: site.id, name, reason, note, size, core: site.core };
  await insertBackupRow(db, { ...row, ...(content && { content }) });
  // The others are made at any time of the day, and must not replace the next night's.
  if (reason === "nightly") await markBackedUp(db, site.id, began);
  await forgetFailedBackup(db, site.id);
  if (!options.keepsAll) await removeOldBackups(wordpress, site, options.spared);
  return name;
}

async function removeOldBackups({ db, backups }: WordPress, { id, recipe }: Site, spared: string | undefined) {
  const names = await backups.list(id);
  const rows = new Map((await findBackupRows(db, id)).map((row) => [row.name, row]));
  const work = await findWork(db, id);
  const inUse = [spared, work?.backup, work?.snapshot];
  const { nightly, manual } = keptBackups(recipe);
  const groups = Map.groupBy(names, (name) => groupOf(rows.get(name)?.reason));
  const isOld = (name: string) => Date.now() - backupDate(name).getTime() > undoDays * 86_400_000;
  const old = new Set([
    ...(groups.get("nightly")?.slice(nightly) ?? []),
    ...(groups.get("manual")?.slice(manual) ?? []),
    ...(groups.get("domain")?.slice(maxOfDomains) ?? []),
    ...(groups.get("admin")?.slice(maxOfAdmin) ?? []),
    ...(groups.get("undo")?.filter((name, index) => index >= maxForUndo || isOld(name)) ?? []),
  ]);
  // Those that owners cause have a share of the disk, too. Those that the site itself can cause go first.
  let bytes = 0;
  const isOfSite = (name: string) => Number(groupOf(rows.get(name)?.reason) === "admin");
  for (const name of names.toSorted((one, other) => isOfSite(one) - isOfSite(other))) {
    if (groupOf(rows.get(name)?.reason) === "nightly" || old.has(name)) continue;
    bytes += rows.get(name)?.size ?? 0;
    if (bytes > sharesOfPlan * resourcesOf(recipe).disk) old.add(name);
  }
  for (const name of old) {
    if (inUse.includes(name) || name === names[0]) continue;
    // The row goes first: without its file it would promise a backup.
    await deleteBackupRow(db, id, name);
    await backups.remove(id, name);
  }
}

/** A backup of which nothing is known was made before there were rows, or its row was lost: it counts as a nightly one. */
function groupOf(reason: BackupReason = "nightly") {
  return reason === "nightly" || reason === "manual" || reason === "domain" || reason === "admin" ? reason : "undo";
}

/** A backup of the site, or parts of two. */
export type BackupSource = string | MergedBackup;

/** Replaces a site with a backup of it. */
export async function restoreBackup({ db, runtimeOf, backups, reports }: WordPress, site: Site, source: BackupSource) {
  const backup = typeof source === "string" ? backups.open(site.id, source) : backups.openMerged(site.id, source);
  try {
    await runtimeOf(site).restore(site, backup);
  } finally {
    await backup.close();
  }
  reports.forget(site.id);
  await resetReport(db, site.id);
}
