import type { FastifyBaseLogger } from "fastify";
import type { Db, Tx } from "../db/connect.ts";
import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { removeArchivesJob, removeFilesJob } from "./jobs.ts";
import { removeArchives } from "./removeArchives.ts";

interface Removal {
  /** Removes everything of a project that is not in PostgreSQL. */
  removeFiles(projectId: string): Promise<void>;
  /** Ends the subscription of a project that is removed. */
  onRemoved(tx: Tx, subId: string): Promise<void>;
}

export function projectJobHandlers(db: Db, log: FastifyBaseLogger, { removeFiles, onRemoved }: Removal): JobHandler[] {
  return [
    handleJob(removeArchivesJob, () => removeArchives(db, log, onRemoved)),
    handleJob(removeFilesJob, ({ projectId }) => removeFiles(projectId)),
  ];
}
