import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { updateTask } from "../../tasks/queries.ts";
import { findFailed, setStatus } from "../queries.ts";

/** Has a WordPress made that could not be made before; false where there is none of that name. */
export async function retrySite(tx: Tx, name: string): Promise<boolean> {
  const failed = await findFailed(tx, name);
  if (!failed?.taskId) return false;
  const { projectId, userId, taskId, username, lang } = failed;
  await lockUser(tx, userId);
  await setStatus(tx, projectId, "provisioning");
  await updateTask(tx, taskId, { state: "pending", progress: [] });
  await enqueue(tx, "provisionWordPress", { projectId, taskId, username, lang });
  await announceChange(tx, userId);
  return true;
}
