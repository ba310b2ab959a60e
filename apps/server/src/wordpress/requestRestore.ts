import type { RestoreParts } from "@nido/contract";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { backupDate } from "./BackupStore.ts";
import { restoreSiteJob } from "./jobs.ts";
import { requireIdle, updateWork } from "./work.ts";

/** Enqueues the restore of a backup that the owner of a site chose. Returns what is recorded about it. */
export async function requestRestore(
  tx: Tx,
  { id, name }: { id: string; name: string },
  backup: string,
  parts: RestoreParts = "all",
): Promise<Activity> {
  await requireIdle(tx, id);
  await updateWork(tx, id, { kind: "restore", progress: 0 });
  await enqueue(tx, restoreSiteJob, { projectId: id, backup, isByOwner: true, parts });
  const params = { project: name, date: backupDate(backup).toISOString() };
  return { kind: "restoreStarted", params, projectId: id };
}
