import { type ActionPayloads, categoryOf } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject } from "../projects/queries.ts";
import { findPrimary, setPrimaryOf } from "./queries.ts";

/** Chooses the primary domain of a WordPress project: a verified one, or the controlled one. */
export async function setPrimary(tx: Tx, userId: string, payload: ActionPayloads["SET_PRIMARY_DOMAIN"]) {
  const project = await findOwnProject(tx, userId, payload.project_id);
  if (!project || categoryOf(project.recipe) !== "wordpress") throw new AppError("error_project_not_found");
  const before = await findPrimary(tx, project.id);
  const isSet = await setPrimaryOf(tx, project.id, payload.domain_id);
  if (!isSet && payload.domain_id !== "controlled") throw new AppError("error_domain_not_configured");
  return { project, isChanged: (await findPrimary(tx, project.id)) !== before };
}
