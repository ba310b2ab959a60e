import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { deleteArchived, findArchivedLongAgo, findWordPress } from "../queries.ts";
import { siteFolder } from "../siteFolder.ts";
import { backUp, removeBackups } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";

const archiveDays = 30;

/** Takes down a WordPress whose project is gone. A last backup is its archive. */
export async function archiveSite(wordpress: WordPress, projectId: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row?.archivedAt) return;
  const { mark } = siteFolder(wordpress.dataDir, projectId);
  // One that was never finished has nothing to keep.
  if (existsSync(mark)) await backUp(wordpress, siteOf(wordpress, row));
  // First the mark: what is removed by half is no site to be kept.
  await rm(mark, { force: true });
  await wordpress.runtime.remove(projectId);
}

/** Removes the archives that have been kept for long enough, and with them the last that is known of their projects. */
export async function removeArchives({ db, dataDir, runtime, log }: WordPress) {
  for (const { id } of await findArchivedLongAgo(db, archiveDays)) {
    try {
      // Asked again: it may have been brought back meanwhile.
      if (!(await db.transaction((tx) => deleteArchived(tx, id, archiveDays)))) continue;
      await runtime.remove(id);
      await removeBackups(dataDir, id);
    } catch (error) {
      log.error({ err: error, project: id }, "an archive could not be removed");
    }
  }
}
