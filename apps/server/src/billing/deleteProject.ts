import type { ActionPayloads } from "@nido/contract";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { archiveOwnProject } from "../projects/queries.ts";
import { cancelSubscription } from "./cancelSubscription.ts";
import { mailTakeDown, takeDownEntry, takeDownProject } from "./takeDownProject.ts";

/** Deletes a project and cancels its subscription at once, without a refund. The customer can undo it for 30 days. */
export async function deleteProject(
  tx: Tx,
  userId: string,
  { id }: ActionPayloads["DELETE_PROJECT"],
): Promise<Activity> {
  const project = await archiveOwnProject(tx, userId, id);
  if (!project) throw new AppError("error_project_not_found");
  await takeDownProject(tx, project);
  const { renews } = await cancelSubscription(tx, project.subId);
  await mailTakeDown(tx, project);
  return takeDownEntry("projectDeleted", project, renews);
}
