import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { compressDeploy } from "./compressDeploy.ts";
import type { Deploys } from "./Deploys.ts";
import { compressDeployJob, removeOldDeploysJob } from "./jobs.ts";
import { removeOldDeploys } from "./removeOldDeploys.ts";

export function deployJobHandlers(deploys: Deploys): JobHandler[] {
  return [
    handleJob(compressDeployJob, (deploy) => compressDeploy(deploys, deploy)),
    handleJob(removeOldDeploysJob, () => removeOldDeploys(deploys)),
  ];
}
