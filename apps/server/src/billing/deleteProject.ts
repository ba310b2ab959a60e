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
  const deleted = await endProject(tx, userId, id);
  if (!deleted) throw new AppError("error_project_not_found");
  await mailTakeDown(tx, deleted.project);
  return deleted.activity;
}

/** The same without a message. Undefined if the customer has no such project. */
export async function endProject(tx: Tx, userId: string, id: string) {
  const project = await archiveOwnProject(tx, userId, id);
  if (!project) return undefined;
  await takeDownProject(tx, project);
  const { renews } = await cancelSubscription(tx, project.subId);
  return { project, activity: takeDownEntry("projectDeleted", project, renews) };
}
