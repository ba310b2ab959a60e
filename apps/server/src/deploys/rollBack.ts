import type { ActionPayloads, Actor } from "@nido/contract";
import { lockUser } from "../account/queries.ts";
import { type Activity, record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject, findOwnProjectByName } from "../projects/queries.ts";
import { findDeploys, findShown, showDeploy } from "./queries.ts";

/** How to take back a roll-back. */
export interface BranchChange {
  before: string;
  after: string;
}

/** Shows an earlier deploy again, on the branch it was published to. Returns what changed, if anything. */
export async function rollBack(
  tx: Tx,
  userId: string,
  { project_id: projectId, deploy_id: deployId, branch }: ActionPayloads["ROLL_BACK"],
): Promise<Activity | undefined> {
  const project = await findOwnProject(tx, userId, projectId);
  if (!project) throw new AppError("error_project_not_found");
  if (project.status !== "active") throw new AppError("error_project_suspended");
  const deploys = await findDeploys(tx, project.id);
  if (!deploys.some((deploy) => deploy.id === deployId && deploy.branch === branch))
    throw new AppError("error_deploy_not_found");
  const before = await findShown(tx, project.id, branch);
  if (before === deployId) return undefined;
  await showDeploy(tx, project.id, branch, deployId);
  const undo: BranchChange | undefined = before ? { before, after: deployId } : undefined;
  const params = { project: project.name, deploy: deployId, branch };
  return { kind: "rolledBack", params, projectId: project.id, ...(undo && { undo }) };
}

/** The same for the CLI, which names the project instead of giving its id. */
export async function rollBackByName(
  db: Db,
  userId: string,
  actor: Actor,
  projectName: string,
  { deployId, branch }: { deployId: string; branch: string },
) {
  await db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    const project = await findOwnProjectByName(tx, userId, projectName);
    if (!project) throw new AppError("error_project_not_found");
    const activity = await rollBack(tx, userId, { project_id: project.id, deploy_id: deployId, branch });
    if (activity) await record(tx, userId, actor, activity);
    await announceChange(tx, userId);
  });
}
