import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { dequeue, enqueue } from "../jobs/enqueue.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { keptUntil } from "../platform/keptUntil.ts";
import type { ArchivedProject } from "../projects/queries.ts";
import { failTasks } from "../tasks/queries.ts";
import { archiveSiteJob, provisionWordPressJob } from "../wordpress/jobs.ts";
import { findTaskOf } from "./checkout/queries.ts";
import type { Deletion } from "./restoreProject.ts";

/** Cancels the provisioning of an archived project and queues the removal of its site. */
export async function takeDownProject(tx: Tx, project: ArchivedProject) {
  await dequeue(tx, provisionWordPressJob, project.id);
  const taskId = await findTaskOf(tx, project.subId);
  if (taskId) await failTasks(tx, [taskId]);
  await enqueue(tx, archiveSiteJob, { projectId: project.id });
}

/** What is recorded about it. The customer can undo it for as long as the archive is kept. */
export function takeDownEntry(
  kind: "projectDeleted" | "projectEnded",
  { id, name, archivedAt, domains }: ArchivedProject,
  renews: boolean,
): Activity {
  const undo: Deletion = { domains, renews };
  return { kind, params: { project: name, until: keptUntil(archivedAt ?? undefined) }, projectId: id, undo };
}

export async function mailTakeDown(tx: Tx, { id: projectId, userId, name, archivedAt }: ArchivedProject) {
  const until = keptUntil(archivedAt ?? undefined);
  await mailCustomer(tx, userId, "projectDeleted", { projectId, name, until });
}
