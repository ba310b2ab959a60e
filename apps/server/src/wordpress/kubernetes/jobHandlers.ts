import { handleJob, type JobHandler } from "../../jobs/defineJob.ts";
import type { WordPress } from "../WordPress.ts";
import { moveLostSitesJob, reconcileClusterJob, restSitesJob } from "./jobs.ts";
import type { KubernetesRuntime } from "./KubernetesRuntime.ts";
import { moveLostSites } from "./moveLostSites.ts";
import { reconcileCluster } from "./reconcileCluster.ts";
import { restSites } from "./restSites.ts";

export function clusterJobHandlers(
  wordpress: WordPress,
  runtime: KubernetesRuntime,
  idle: Parameters<typeof restSites>[2],
): JobHandler[] {
  return [
    handleJob(restSitesJob, () => restSites(wordpress, runtime, idle)),
    handleJob(moveLostSitesJob, () => moveLostSites(wordpress, runtime)),
    handleJob(reconcileClusterJob, () => reconcileCluster(wordpress, runtime)),
  ];
}
