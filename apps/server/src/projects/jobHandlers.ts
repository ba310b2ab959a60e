import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../db/connect.ts";
import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { removeArchivesJob, removeFilesJob } from "./jobs.ts";
import { removeArchives } from "./removeArchives.ts";

/** `removeFiles`: removes everything of a project that is not in PostgreSQL */
export function projectJobHandlers(
  db: Db,
  log: FastifyBaseLogger,
  removeFiles: (projectId: string) => Promise<void>,
): JobHandler[] {
  return [
    handleJob(removeArchivesJob, () => removeArchives(db, log)),
    handleJob(removeFilesJob, ({ projectId }) => removeFiles(projectId)),
  ];
}
