import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { removeArchivesJob } from "./jobs.ts";
import { type ArchiveOptions, removeArchives } from "./removeArchives.ts";

export function projectJobHandlers(options: ArchiveOptions): JobHandler[] {
  return [handleJob(removeArchivesJob, () => removeArchives(options))];
}
