import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { finishRestoring, setProjectStatus } from "../../projects/queries.ts";
import { updateTask } from "../../tasks/queries.ts";
import { findTaskOfSite, findWordPress, type SiteRow } from "../queries.ts";
import type { WordPress } from "../WordPress.ts";
import { finishedProgress } from "./recordStage.ts";
import { restoreSite } from "./restoreSite.ts";
import { provisionAgain } from "./retryProvisioning.ts";

/** Restores the WordPress of a deleted project that its customer took back, and shows the project as active. */
export async function unarchiveSite(wordpress: WordPress, projectId: string) {
  const { db, backups, runtimeOf } = wordpress;
  const row = await findWordPress(db, projectId);
  if (!row || row.archivedAt || row.status !== "provisioning") return;
  // It is still there if the project was taken back before its site was archived.
  if (!(await runtimeOf(row).installedCore(projectId))) {
    const [archive] = await backups.list(projectId);
    if (!archive) return installAgain(wordpress, row);
    await restoreSite(wordpress, projectId, { backup: archive, isRetry: true });
  }
  await db.transaction(async (tx) => {
    await lockUser(tx, row.userId);
    if (!(await finishRestoring(tx, projectId))) return;
    const taskId = await findTaskOfSite(tx, projectId);
    if (taskId) await updateTask(tx, taskId, { state: "completed", progress: finishedProgress });
    await announceChange(tx, row.userId);
  });
}

/** It was deleted before its installation was complete, so there is nothing to restore. */
async function installAgain({ db }: WordPress, { id, userId, name }: SiteRow) {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await setProjectStatus(tx, id, "failed");
    await provisionAgain(tx, name);
    await announceChange(tx, userId);
  });
}
