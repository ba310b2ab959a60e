import { randomUUID } from "node:crypto";
import type { RestoreParts } from "@nido/contract";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { backupDate } from "./BackupStore.ts";
import { restoreOwnSiteJob } from "./jobs.ts";
import { findWork, requireIdle, updateWork } from "./work.ts";

/** Enqueues the restore of a backup that the owner of a site chose. Returns what is recorded about it. */
export async function requestRestore(
  tx: Tx,
  { id: projectId, name }: { id: string; name: string },
  backup: string,
  parts: RestoreParts = "all",
): Promise<Activity> {
  await requireIdle(tx, projectId);
  // After a restore that left only half a site, its snapshot is the last whole one.
  const { snapshot } = (await findWork(tx, projectId)) ?? {};
  const id = randomUUID();
  await updateWork(tx, projectId, { id, kind: "restore", progress: 0, backup, ...(snapshot && { snapshot }) });
  await enqueue(tx, restoreOwnSiteJob, { projectId, id, backup, parts });
  const params = { project: name, date: backupDate(backup).toISOString() };
  return { kind: "restoreStarted", params, projectId };
}
