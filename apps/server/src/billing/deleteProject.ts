import type { ActionPayloads } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import { archiveOwnProject } from "../projects/queries.ts";
import { cancelAtProviderJob } from "./jobs.ts";
import { cancelSubscription } from "./queries.ts";
import { takeDownProject } from "./takeDownProject.ts";

/** Deletes a project and cancels its subscription at once, without a refund. A job cancels it at the provider. */
export async function deleteProject(tx: Tx, userId: string, { id }: ActionPayloads["DELETE_PROJECT"]) {
  const project = await archiveOwnProject(tx, userId, id);
  if (!project) throw new AppError("error_project_not_found");
  await takeDownProject(tx, project);
  await cancelSubscription(tx, project.subId);
  await enqueue(tx, cancelAtProviderJob, { subId: project.subId });
}
