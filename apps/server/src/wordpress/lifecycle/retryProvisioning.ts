import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { setProjectStatus } from "../../projects/queries.ts";
import { updateTask } from "../../tasks/queries.ts";
import { provisionWordPressJob } from "../jobs.ts";
import { findFailed } from "../queries.ts";

/** Provisions a WordPress again after it failed; false if no failed project has this name. */
export async function retryProvisioning(tx: Tx, name: string): Promise<boolean> {
  const userId = await provisionAgain(tx, name);
  if (userId) await announceChange(tx, userId);
  return userId !== undefined;
}

/** The same for a transaction that announces its changes itself. Returns the customer. */
export async function provisionAgain(tx: Tx, name: string): Promise<string | undefined> {
  const failed = await findFailed(tx, name);
  if (!failed?.taskId) return undefined;
  const { projectId, userId, taskId, username, lang } = failed;
  await lockUser(tx, userId);
  await setProjectStatus(tx, projectId, "provisioning");
  await updateTask(tx, taskId, { state: "pending", progress: [] });
  await enqueue(tx, provisionWordPressJob, { projectId, taskId, username, lang });
  return userId;
}
