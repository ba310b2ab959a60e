import { handleJob, type JobHandler } from "../../jobs/defineJob.ts";
import { applyPlanJob } from "../jobs.ts";
import type { WordPress } from "../WordPress.ts";
import { applyPlan } from "./applyPlan.ts";
import { moveLostSitesJob, reconcileClusterJob, restSitesJob } from "./jobs.ts";
import type { KubernetesRuntime } from "./KubernetesRuntime.ts";
import { moveLostSites } from "./moveLostSites.ts";
import { reconcileCluster } from "./reconcileCluster.ts";
import { restSites } from "./restSites.ts";

interface Options {
  idle: Parameters<typeof restSites>[2];
  alone: (projectId: string, work: () => Promise<void>) => Promise<void>;
}

export function clusterJobHandlers(
  wordpress: WordPress,
  runtime: KubernetesRuntime,
  { idle, alone }: Options,
): JobHandler[] {
  return [
    handleJob(applyPlanJob, ({ projectId }) => alone(projectId, () => applyPlan(wordpress, runtime, projectId))),
    handleJob(restSitesJob, () => restSites(wordpress, runtime, idle)),
    handleJob(moveLostSitesJob, () => moveLostSites(wordpress, runtime)),
    handleJob(reconcileClusterJob, () => reconcileCluster(wordpress, runtime)),
  ];
}
