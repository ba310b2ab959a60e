import { existsSync } from "node:fs";
import { backUp, findBackups, removeBackups } from "./backups.ts";
import { deleteProject, findArchivedLongAgo, findWordPress } from "./queries.ts";
import { siteFolder } from "./siteFolder.ts";
import { siteOf, type WordPress } from "./WordPress.ts";

const archiveDays = 30;

/** Takes down a WordPress whose project is gone. A last backup is its archive. */
export async function archiveSite(wordpress: WordPress, projectId: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row?.archivedAt) return;
  const { root, settings } = siteFolder(wordpress.dataDir, projectId);
  if (existsSync(settings)) await backUp(wordpress, siteOf(wordpress, row));
  if (existsSync(root) || (await findBackups(wordpress.dataDir, projectId)).length === 0)
    await wordpress.runtime.remove(projectId);
}

/** Removes the archives that have been kept for long enough, and with them the last that is known of their projects. */
export async function removeArchives({ db, dataDir, runtime }: WordPress) {
  for (const { id } of await findArchivedLongAgo(db, archiveDays)) {
    await runtime.remove(id);
    await removeBackups(dataDir, id);
    await db.transaction((tx) => deleteProject(tx, id));
  }
}
