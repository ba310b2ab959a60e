import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** Deletes the projects whose archive has been kept for long enough, and frees their names. */
export const removeArchivesJob = defineJob({
  name: "removeArchives",
  payload: z.object({}),
  cron: { schedule: "22 4 * * *", attempts: 3 },
});

/** Removes what is left of a deleted project outside PostgreSQL. */
export const removeFilesJob = defineJob({
  name: "removeFiles",
  payload: z.object({ projectId: z.string() }),
  key: "projectId",
  pool: "upkeep",
});
