import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { unarchiveProject } from "../../projects/queries.ts";
import { moveSiteJob } from "../jobs.ts";
import { findWordPress, updateWordPress } from "../queries.ts";
import { checkHealth, requestSite } from "../requestSite.ts";
import { backUp, restoreBackup } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { move } from "./moveSite.ts";

/** Restores a site from a backup, after a backup of its current state. An archived project is given back to its customer. */
export async function restoreSite(wordpress: WordPress, projectId: string, backup: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row) return;
  // After the loss of a machine, the site's WordPress version may not be installed here.
  const { version } = await wordpress.cores.current();
  const core = wordpress.cores.has(row.core) ? row.core : version;
  const site = { ...siteOf(wordpress, row), core };
  const { runtime } = wordpress;
  // After the loss of a machine, there is nothing to back up yet.
  if (!row.archivedAt && (await runtime.installedCore(projectId))) await backUp(wordpress, site, backup);
  await restoreBackup(wordpress, site, backup);
  await runtime.markInstalled(site);
  if (core !== row.core) await requestSite(wordpress, site, { url: "/", script: { in: "nido", path: "upgrade.php" } });
  // The site may have had another address when the backup was made.
  await move(wordpress, site).catch(async (error) => {
    wordpress.log.warn(
      { err: error, project: projectId },
      "could not move a restored site to its current address; a job will retry",
    );
    await enqueue(wordpress.db, moveSiteJob, { projectId });
  });
  const health = await checkHealth(wordpress, site);
  if (health.some((status) => status >= 500))
    wordpress.log.warn({ project: projectId, health }, "a restored site answers with errors");
  if (!row.archivedAt && core === row.core) return;
  await wordpress.db.transaction(async (tx) => {
    await lockUser(tx, row.userId);
    await updateWordPress(tx, projectId, { core });
    if (row.archivedAt) await unarchiveProject(tx, projectId);
    await announceChange(tx, row.userId);
  });
}
