import type { RestoreParts } from "@nido/contract";
import { lockUser } from "../../account/queries.ts";
import { operator, platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Db } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { unarchiveProject } from "../../projects/queries.ts";
import { moveSiteJob } from "../jobs.ts";
import { findWordPress, updateWordPress } from "../queries.ts";
import { checkHealth, requestSite } from "../requestSite.ts";
import { backUp, restoreBackup } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { findWork, setWork, updateWork } from "../work.ts";
import { move } from "./moveSite.ts";

interface Restore {
  backup: string;
  isRetry?: boolean;
  isByOwner?: boolean | undefined;
  /** unless all of it is restored, the rest stays as it is */
  parts?: RestoreParts | undefined;
}

/** The backup that takes a restore back. */
export interface RestoreUndo {
  backup: string;
}

/** Restores a site from a backup, after a backup of its current state. An archived project is given back to its customer. */
export async function restoreSite(
  wordpress: WordPress,
  projectId: string,
  { backup, isRetry = false, isByOwner = false, parts = "all" }: Restore,
) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row) return;
  const show = async (progress: number, more?: { snapshot: string }) => {
    const work = await findWork(wordpress.db, projectId);
    if (isByOwner) await setWork(wordpress.db, row, { ...work, ...more, kind: "restore", progress });
  };
  // After the loss of a machine, the site's runtime may be gone, and its WordPress version not installed here.
  const runtime = wordpress.runtimes.find(({ name }) => name === row.runtime) ?? wordpress.runtime;
  const { version } = await runtime.cores.current();
  const core = runtime.cores.has(row.core) ? row.core : version;
  const site = { ...siteOf(wordpress, row), core, runtime: runtime.name };
  // After the loss of a machine, there is nothing to back up yet. After a failed attempt, there is only half a site.
  const isSaved = isByOwner ? (await findWork(wordpress.db, projectId))?.snapshot !== undefined : isRetry;
  if (!row.archivedAt && !isSaved && (await runtime.installedCore(projectId))) {
    const onProgress = (part: number) => show(part / 2);
    const snapshot = await backUp(wordpress, site, { reason: "restore", spared: backup, onProgress });
    await show(0.5, { snapshot });
  }
  await restoreBackup(wordpress, site, await sourceOf(wordpress.db, projectId, backup, parts));
  await show(0.8);
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
  await wordpress.db.transaction(async (tx) => {
    await lockUser(tx, row.userId);
    await updateWordPress(tx, projectId, { core, runtime: runtime.name, isMoving: false });
    if (row.archivedAt) await unarchiveProject(tx, projectId);
    const kind = row.archivedAt ? "projectRestored" : "backupRestored";
    const { snapshot } = (isByOwner && (await findWork(tx, projectId))) || {};
    const undo: RestoreUndo | undefined = snapshot ? { backup: snapshot } : undefined;
    // Not if its customer took it back, which is recorded as theirs.
    if (row.status !== "provisioning")
      await record(tx, row.userId, isByOwner ? platform : operator, {
        kind,
        params: { project: row.name },
        projectId,
        ...(undo && { undo }),
      });
    if (isByOwner) await updateWork(tx, projectId, null);
    await announceChange(tx, row.userId);
  });
}

/** What stays as it is comes from the backup that was made before. */
async function sourceOf(db: Db, projectId: string, backup: string, parts: RestoreParts) {
  if (parts === "all") return backup;
  const { snapshot } = (await findWork(db, projectId)) ?? {};
  if (!snapshot) throw new Error(`there is no backup of site ${projectId} before its restore`);
  return parts === "files" ? { files: backup, rest: snapshot } : { files: snapshot, rest: backup };
}
