import { lockUser } from "../../account/queries.ts";
import { operator, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { unarchiveProject } from "../../projects/queries.ts";
import { moveSiteJob } from "../jobs.ts";
import { findWordPress, type SiteRow, updateWordPress } from "../queries.ts";
import { checkHealth, requestSite } from "../requestSite.ts";
import { type BackupSource, backUp, restoreBackup } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";
import { move } from "./moveSite.ts";

/** Restores a site from a backup, after a backup of its current state. An archived project is given back to its customer. */
export async function restoreSite(
  wordpress: WordPress,
  projectId: string,
  { backup, isRetry = false }: { backup: string; isRetry?: boolean },
) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row) return;
  const { site, runtime } = await chooseRuntime(wordpress, row);
  // After the loss of a machine, there is nothing to back up yet. After a failed attempt, there is only half a site.
  if (!row.archivedAt && !isRetry && (await runtime.installedCore(projectId)))
    await backUp(wordpress, site, { reason: "restore", spared: backup });
  await replaceSite(wordpress, site, backup);
  await wordpress.db.transaction(async (tx) => {
    await lockUser(tx, row.userId);
    await updateWordPress(tx, projectId, { core: site.core, runtime: site.runtime, isMoving: false, work: null });
    if (row.archivedAt) await unarchiveProject(tx, projectId);
    const kind = row.archivedAt ? "projectRestored" : "backupRestored";
    // Not if its customer took it back, which is recorded as theirs.
    if (row.status !== "provisioning")
      await record(tx, row.userId, operator, { kind, params: { project: row.name }, projectId });
    await announceChange(tx, row.userId);
  });
}

/** After the loss of a machine, the site's runtime may be gone, and its WordPress version not installed here. */
export async function chooseRuntime(wordpress: WordPress, row: SiteRow) {
  const runtime = wordpress.runtimes.find(({ name }) => name === row.runtime) ?? wordpress.runtime;
  const { version } = await runtime.cores.current();
  const core = runtime.cores.has(row.core) ? row.core : version;
  return { runtime, site: { ...siteOf(wordpress, row), core, runtime: runtime.name } };
}

/** Replaces a site with a backup, brings its database and its address up to date, and looks whether it answers. */
export async function replaceSite(wordpress: WordPress, site: Site, source: BackupSource) {
  const { id: projectId } = site;
  await restoreBackup(wordpress, site, source);
  await wordpress.runtimeOf(site).markInstalled(site);
  const upgrade = { url: "/", script: { in: "nido", path: "upgrade.php" } } as const;
  const check = requestSite(wordpress, site, { ...upgrade, server: { NIDO_CHECK: "1" } });
  if ((await check.catch(() => "needed")) === "needed") await requestSite(wordpress, site, upgrade);
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
}
