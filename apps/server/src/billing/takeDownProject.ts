import type { Tx } from "../db/connect.ts";
import { dequeue, enqueue } from "../jobs/enqueue.ts";
import { failTasks } from "../tasks/queries.ts";
import { archiveSiteJob, provisionWordPressJob } from "../wordpress/jobs.ts";
import { findTaskOf } from "./checkout/queries.ts";

/** Stops the provisioning of an archived project, and has its site taken down. */
export async function takeDownProject(tx: Tx, project: { id: string; subId: string }) {
  await dequeue(tx, provisionWordPressJob, project.id);
  const taskId = await findTaskOf(tx, project.subId);
  if (taskId) await failTasks(tx, [taskId]);
  await enqueue(tx, archiveSiteJob, { projectId: project.id });
}
