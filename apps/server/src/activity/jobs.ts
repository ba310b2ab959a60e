import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** Shortens the customers' activity logs. */
export const removeOldActivityJob = defineJob({
  name: "removeOldActivity",
  payload: z.object({}),
  cron: { schedule: "12 4 * * *", attempts: 1 },
});
