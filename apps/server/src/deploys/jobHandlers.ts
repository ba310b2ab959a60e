import type { Performers } from "../jobs/startJobs.ts";
import { compressDeploy } from "./compressDeploy.ts";
import type { Releases } from "./Deploys.ts";
import { collectReleases } from "./removeOldDeploys.ts";

/** What static sites need in the background. */
export function releaseJobs(releases: Releases): Performers {
  return {
    compressDeploy: (wish) => compressDeploy(releases, wish),
    collectReleases: () => collectReleases(releases),
  };
}

export const releaseSchedule = `
32 3 * * * collectReleases ?jobKey=collectReleases&max=3
`;
