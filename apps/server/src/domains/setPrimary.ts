import { type ActionPayloads, categoryOf } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject } from "../projects/queries.ts";
import { setPrimaryOf } from "./queries.ts";

/** Chooses what a WordPress calls itself: one of its verified domains, or the one that came with it. */
export async function setPrimary(tx: Tx, userId: string, payload: ActionPayloads["SET_PRIMARY_DOMAIN"]) {
  const project = await findOwnProject(tx, userId, payload.project_id);
  if (!project || categoryOf(project.recipe) !== "wordpress") throw new AppError("error_project_not_found");
  const isThere = await setPrimaryOf(tx, project.id, payload.domain_id);
  if (!isThere && payload.domain_id !== "controlled") throw new AppError("error_domain_not_configured");
  await enqueue(tx, "moveSite", { projectId: project.id });
}
