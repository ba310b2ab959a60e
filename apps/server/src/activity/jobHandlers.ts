import type { Db } from "../db/connect.ts";
import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { removeOldActivityJob } from "./jobs.ts";
import { removeOldActivity } from "./record.ts";

export function activityJobHandlers(db: Db): JobHandler[] {
  return [handleJob(removeOldActivityJob, () => removeOldActivity(db))];
}
