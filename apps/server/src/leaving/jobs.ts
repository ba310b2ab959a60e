import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** Makes the archive of a customer's data. */
export const exportDataJob = defineJob({
  name: "exportData",
  payload: z.object({ userId: z.string() }),
  key: "userId",
  pool: "exports",
  attempts: 3,
});

/** Removes the accounts that were closed long enough ago, and archives that have expired. */
export const removeLeftJob = defineJob({
  name: "removeLeft",
  payload: z.object({}),
  cron: { schedule: "52 * * * *", attempts: 1 },
});
