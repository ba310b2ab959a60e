import { type ActionPayloads, type Actor, mainBranch } from "@nido/contract";
import { lockUser } from "../account/queries.ts";
import { type Activity, record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { takePictureJob } from "../pictures/jobs.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject, findOwnProjectByName } from "../projects/queries.ts";
import { deleteBranch, findBranch, showDeploy } from "./branches.ts";
import { findFinished } from "./queries.ts";

/** How to take back a roll-back or a promotion. */
export interface BranchChange {
  before: string;
  after: string;
}

/** How to take back the removal of a branch. */
export interface BranchRemoval {
  deployId: string;
  history: string[];
}

/** Shows an earlier deploy of a branch again. Returns what changed, if anything. */
export async function rollBack(
  tx: Tx,
  userId: string,
  { project_id: projectId, deploy_id: deployId, branch }: ActionPayloads["ROLL_BACK"],
): Promise<Activity | undefined> {
  const project = await requireActive(tx, userId, projectId);
  const deploy = await findFinished(tx, project.id, deployId);
  const shown = await findBranch(tx, project.id, branch);
  const wasShown = shown?.replaced.some(({ id }) => id === deployId) || shown?.history.includes(deployId);
  if (!deploy || (deploy.branch !== branch && !wasShown)) throw new AppError("error_deploy_not_found");
  if (shown?.deployId === deployId) return undefined;
  await showDeploy(tx, { projectId, name: branch, deployId }, { isBack: true });
  if (branch === mainBranch) await enqueue(tx, takePictureJob, { projectId });
  return changed("rolledBack", project, branch, deployId, shown?.deployId);
}

/** Shows a deploy on main, whichever branch it was published to. Returns what changed, if anything. */
export async function promote(
  tx: Tx,
  userId: string,
  { project_id: projectId, deploy_id: deployId }: ActionPayloads["PROMOTE"],
): Promise<Activity | undefined> {
  const project = await requireActive(tx, userId, projectId);
  if (!(await findFinished(tx, project.id, deployId))) throw new AppError("error_deploy_not_found");
  const shown = await findBranch(tx, project.id, mainBranch);
  if (shown?.deployId === deployId) return undefined;
  await showDeploy(tx, { projectId, name: mainBranch, deployId });
  await enqueue(tx, takePictureJob, { projectId });
  return changed("promoted", project, mainBranch, deployId, shown?.deployId);
}

/** Takes a branch offline. Its deploys remain, at their permanent addresses. */
export async function removeBranch(
  tx: Tx,
  userId: string,
  { project_id: projectId, branch }: ActionPayloads["DELETE_BRANCH"],
): Promise<Activity> {
  const project = await findOwnProject(tx, userId, projectId);
  if (!project) throw new AppError("error_project_not_found");
  if (branch === mainBranch) throw new AppError("error_branch_main");
  const shown = await findBranch(tx, project.id, branch);
  if (!shown) throw new AppError("error_branch_not_found");
  await deleteBranch(tx, project.id, branch);
  const undo: BranchRemoval = { deployId: shown.deployId, history: shown.history };
  return { kind: "branchRemoved", params: { project: project.name, branch }, projectId: project.id, undo };
}

/** Shows again what a removed branch showed. */
export async function restoreBranch(
  tx: Tx,
  userId: string,
  projectId: string,
  name: string,
  { deployId, history }: BranchRemoval,
): Promise<Activity> {
  const project = await requireActive(tx, userId, projectId);
  await showDeploy(tx, { projectId, name, deployId, history });
  return { kind: "branchRestored", params: { project: project.name, branch: name }, projectId };
}

/** One of these changes for the CLI, which names the project instead of giving its id. */
export async function changeByName(
  db: Db,
  userId: string,
  actor: Actor,
  projectName: string,
  change: (tx: Tx, projectId: string) => Promise<Activity | undefined>,
) {
  await db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    const project = await findOwnProjectByName(tx, userId, projectName);
    if (!project) throw new AppError("error_project_not_found");
    const activity = await change(tx, project.id);
    if (activity) await record(tx, userId, actor, activity);
    await announceChange(tx, userId);
  });
}

async function requireActive(tx: Tx, userId: string, projectId: string) {
  const project = await findOwnProject(tx, userId, projectId);
  if (!project) throw new AppError("error_project_not_found");
  if (project.status !== "active") throw new AppError("error_project_suspended");
  return project;
}

function changed(
  kind: "rolledBack" | "promoted",
  { id, name }: { id: string; name: string },
  branch: string,
  deploy: string,
  before: string | undefined,
): Activity {
  const undo: BranchChange | undefined = before ? { before, after: deploy } : undefined;
  return { kind, params: { project: name, deploy, branch }, projectId: id, ...(undo && { undo }) };
}
