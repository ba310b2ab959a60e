import { z } from "zod";
import { defineJob } from "../../jobs/defineJob.ts";

const everySite = z.object({});

/** Lets sites sleep that nobody needs. */
export const restSitesJob = defineJob({
  name: "restSites",
  payload: everySite,
  pool: "schedule",
  queue: "restSites",
  cron: { schedule: "* * * * *", attempts: 1 },
});

/** Moves sites away from nodes that the cluster has lost. */
export const moveLostSitesJob = defineJob({
  name: "moveLostSites",
  payload: everySite,
  pool: "schedule",
  queue: "moveLostSites",
  cron: { schedule: "* * * * *", attempts: 1 },
});

/** Compares the sites in the database with those in the cluster. */
export const reconcileClusterJob = defineJob({
  name: "reconcileCluster",
  payload: everySite,
  pool: "upkeep",
  queue: "reconcileCluster",
  cron: { schedule: "27 * * * *", attempts: 3 },
});
