import type { ActionPayloads } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import { archiveOwnProject } from "../projects/queries.ts";
import { cancelSubscription } from "./queries.ts";
import { stopProvisioning } from "./stopProvisioning.ts";

/** Deletes for the customer at once: the paid period is not refunded and the subscription ends. The provider is told by a job. */
export async function deleteProject(tx: Tx, userId: string, { id }: ActionPayloads["DELETE_PROJECT"]) {
  const project = await archiveOwnProject(tx, userId, id);
  if (!project) throw new AppError("error_project_not_found");
  await stopProvisioning(tx, project);
  await cancelSubscription(tx, project.subId);
  await enqueue(tx, "cancelAtProvider", { subId: project.subId });
}
