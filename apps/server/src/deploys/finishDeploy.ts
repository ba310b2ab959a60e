import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import type { Releases } from "./Deploys.ts";
import { findMissing, findOwnDeploy, setFinished, showDeploy } from "./queries.ts";

/**
 * Shows a deploy whose files are all there, in one step. Done again it changes nothing: another one may be shown by
 * then. Says which it is, and what is still missing.
 */
export async function finishDeploy({ db, announced }: Releases, userId: string, id: string) {
  const finished = await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const deploy = await findOwnDeploy(tx, userId, id);
    if (!deploy) throw new AppError("error_deploy_not_found");
    if (deploy.finishedAt) return { deploy, missing: [] };
    if (deploy.status !== "active") throw new AppError("error_project_suspended");
    const missing = await findMissing(tx, userId, id);
    if (missing.length > 0) return { deploy, missing };
    await setFinished(tx, id);
    await showDeploy(tx, deploy.projectId, deploy.branch, id);
    await enqueue(tx, "compressDeploy", { deployId: id, userId });
    await announceChange(tx, userId);
    return { deploy, missing };
  });
  if (finished.missing.length === 0) announced.delete(id);
  return finished;
}
