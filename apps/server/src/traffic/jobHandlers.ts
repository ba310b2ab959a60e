import type { Db } from "../db/connect.ts";
import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { condenseTrafficJob } from "./jobs.ts";
import { condenseTraffic } from "./queries.ts";

export function trafficJobHandlers(db: Db): JobHandler[] {
  return [handleJob(condenseTrafficJob, () => condenseTraffic(db))];
}
