import type { FastifyBaseLogger } from "fastify";
import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { type Exporting, exportData } from "./exportData.ts";
import { exportDataJob, removeLeftJob } from "./jobs.ts";
import { removeLeft } from "./removeLeft.ts";

export function leavingJobHandlers(exporting: Exporting, log: FastifyBaseLogger): JobHandler[] {
  return [
    handleJob(exportDataJob, ({ userId }, attempt) =>
      exportData(exporting, userId, attempt === exportDataJob.attempts),
    ),
    handleJob(removeLeftJob, () => removeLeft(exporting.deploys.db, exporting.exports, log)),
  ];
}
