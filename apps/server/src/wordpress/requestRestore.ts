import type { RestoreParts } from "@nido/contract";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { backupDate } from "./BackupStore.ts";
import { restoreOwnSiteJob } from "./jobs.ts";
import type { RestoreUndo } from "./lifecycle/restoreOwnSite.ts";
import { beginWork } from "./work.ts";

/** Enqueues the restore of a backup that the owner of a site chose. Returns what is recorded about it. */
export async function requestRestore(
  tx: Tx,
  { id: projectId, name }: { id: string; name: string },
  { backup, core }: RestoreUndo,
  parts: RestoreParts = "all",
): Promise<Activity> {
  const id = await beginWork(tx, projectId, { kind: "restore", backup });
  await enqueue(tx, restoreOwnSiteJob, { projectId, id, backup, parts, ...(core && { core }) });
  const params = { project: name, date: backupDate(backup).toISOString() };
  return { kind: "restoreStarted", params, projectId };
}
