import type { Tx } from "../db/connect.ts";
import { dequeue, enqueue } from "../jobs/enqueue.ts";
import { failTasks } from "../tasks/queries.ts";
import { archiveSiteJob, provisionWordPressJob } from "../wordpress/jobs.ts";
import { findTaskOf } from "./checkout/queries.ts";

/** Cancels the provisioning of an archived project and queues the removal of its site. */
export async function takeDownProject(tx: Tx, project: { id: string; subId: string }) {
  await dequeue(tx, provisionWordPressJob, project.id);
  const taskId = await findTaskOf(tx, project.subId);
  if (taskId) await failTasks(tx, [taskId]);
  await enqueue(tx, archiveSiteJob, { projectId: project.id });
}
