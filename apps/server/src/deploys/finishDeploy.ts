import { type Actor, mainBranch } from "@nido/contract";
import { lockUser } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { takePictureJob } from "../pictures/jobs.ts";
import { AppError } from "../platform/AppError.ts";
import { findMissingBlobs } from "./blobs/queries.ts";
import { showDeploy } from "./branches.ts";
import type { Deploys } from "./Deploys.ts";
import { compressDeployJob } from "./jobs.ts";
import { findOwnDeploy, setFinished } from "./queries.ts";
import { parseReport } from "./reports.ts";

/**
 * Shows a deploy, atomically, once all its files are stored; otherwise returns the missing digests as JSON. A repeated
 * call changes nothing, so it cannot replace a newer deploy.
 */
export async function finishDeploy(
  { db, expectedFiles }: Deploys,
  userId: string,
  actor: Actor,
  id: string,
  report?: string,
) {
  const finished = await db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    const deploy = await findOwnDeploy(tx, userId, id);
    if (!deploy) throw new AppError("error_deploy_not_found");
    if (deploy.finishedAt) return { deploy, missing: null };
    if (deploy.status !== "active") throw new AppError("error_project_suspended");
    const missing = await findMissingBlobs(tx, userId, id);
    if (missing !== null) return { deploy, missing };
    await setFinished(tx, id, { author: actor.name ?? "", ...(report && parseReport(report)) });
    await showDeploy(tx, { projectId: deploy.projectId, name: deploy.branch, deployId: id });
    const { projectId, branch, name: project } = deploy;
    await record(tx, userId, actor, { kind: "published", params: { project, deploy: id, branch }, projectId });
    await enqueue(tx, compressDeployJob, { deployId: id, userId });
    if (branch === mainBranch) await enqueue(tx, takePictureJob, { projectId });
    await announceChange(tx, userId);
    return { deploy, missing };
  });
  if (finished.missing === null) expectedFiles.delete(id);
  return finished;
}
