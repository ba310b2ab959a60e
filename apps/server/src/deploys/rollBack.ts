import type { ActionPayloads } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject } from "../projects/queries.ts";
import { findDeploys, showDeploy } from "./queries.ts";

/** Shows an earlier deploy again, on the branch that it was made for. */
export async function rollBack(
  tx: Tx,
  userId: string,
  { project_id: projectId, deploy_id: wanted, branch }: ActionPayloads["ROLL_BACK"],
) {
  const project = await findOwnProject(tx, userId, projectId);
  if (!project) throw new AppError("error_project_not_found");
  if (project.status !== "active") throw new AppError("error_project_suspended");
  const deploys = await findDeploys(tx, project.id);
  if (!deploys.some((deploy) => deploy.id === wanted && deploy.branch === branch))
    throw new AppError("error_deploy_not_found");
  await showDeploy(tx, project.id, branch, wanted);
}
