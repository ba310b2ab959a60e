import type { Tx } from "../db/connect.ts";
import { dequeue, enqueue } from "../jobs/enqueue.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { archiveDays } from "../projects/removeArchives.ts";
import { failTasks } from "../tasks/queries.ts";
import { archiveSiteJob, provisionWordPressJob } from "../wordpress/jobs.ts";
import { findTaskOf } from "./checkout/queries.ts";

type ArchivedProject = { id: string; subId: string; userId: string; name: string; archivedAt: Date | null };

/** Cancels the provisioning of an archived project, queues the removal of its site and tells its customer. */
export async function takeDownProject(tx: Tx, project: ArchivedProject) {
  await dequeue(tx, provisionWordPressJob, project.id);
  const taskId = await findTaskOf(tx, project.subId);
  if (taskId) await failTasks(tx, [taskId]);
  await enqueue(tx, archiveSiteJob, { projectId: project.id });
  const { id: projectId, userId, name, archivedAt } = project;
  const until = new Date((archivedAt ?? new Date()).getTime() + archiveDays * 24 * 60 * 60 * 1000).toISOString();
  await mailCustomer(tx, userId, "projectDeleted", { projectId, name, until });
}
