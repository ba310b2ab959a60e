import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** Deletes the projects whose archive has been kept for long enough, and frees their names. */
export const removeArchivesJob = defineJob({
  name: "removeArchives",
  payload: z.object({}),
  cron: { schedule: "22 4 * * *", attempts: 3 },
});
