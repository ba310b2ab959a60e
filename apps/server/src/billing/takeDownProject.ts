import type { Tx } from "../db/connect.ts";
import { dequeue, enqueue } from "../jobs/enqueue.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import type { ArchivedProject } from "../projects/queries.ts";
import { keptUntil } from "../projects/removeArchives.ts";
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

/** The customer is told, and can undo it for as long as the archive is kept. */
export async function announceTakeDown(
  tx: Tx,
  kind: "projectDeleted" | "projectEnded",
  { id, userId, name, archivedAt, domains }: ArchivedProject,
  renews = true,
) {
  const undo: Deletion = { domains, renews };
  const until = keptUntil(archivedAt ?? undefined);
  await mailCustomer(tx, userId, "projectDeleted", { projectId: id, name, until });
  return { kind, params: { project: name, until }, projectId: id, undo } as const;
}
