import type { ActionPayloads } from "@nido/contract";
import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject, findOwnProjectByName } from "../projects/queries.ts";
import { findDeploys, showDeploy } from "./queries.ts";

/** Shows an earlier deploy again, on the branch it was published to. */
export async function rollBack(
  tx: Tx,
  userId: string,
  { project_id: projectId, deploy_id: deployId, branch }: ActionPayloads["ROLL_BACK"],
) {
  const project = await findOwnProject(tx, userId, projectId);
  if (!project) throw new AppError("error_project_not_found");
  if (project.status !== "active") throw new AppError("error_project_suspended");
  const deploys = await findDeploys(tx, project.id);
  if (!deploys.some((deploy) => deploy.id === deployId && deploy.branch === branch))
    throw new AppError("error_deploy_not_found");
  await showDeploy(tx, project.id, branch, deployId);
}

/** The same for the CLI, which names the project instead of giving its id. */
export async function rollBackByName(
  db: Db,
  userId: string,
  projectName: string,
  { deployId, branch }: { deployId: string; branch: string },
) {
  await db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    const project = await findOwnProjectByName(tx, userId, projectName);
    if (!project) throw new AppError("error_project_not_found");
    await rollBack(tx, userId, { project_id: project.id, deploy_id: deployId, branch });
    await announceChange(tx, userId);
  });
}
