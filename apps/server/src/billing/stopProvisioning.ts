import type { Tx } from "../db/connect.ts";
import { dequeue, enqueue } from "../jobs/enqueue.ts";
import { failTasks } from "../tasks/queries.ts";
import { findTaskOf } from "./checkout/queries.ts";

/** A project that is gone is not made any more, and nobody waits for it. */
export async function stopProvisioning(tx: Tx, project: { id: string; subId: string }) {
  await dequeue(tx, "provisionWordPress", project.id);
  const taskId = await findTaskOf(tx, project.subId);
  if (taskId) await failTasks(tx, [taskId]);
  await enqueue(tx, "archiveSite", { projectId: project.id });
}
