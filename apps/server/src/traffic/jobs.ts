import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** Condenses the traffic of past months. */
export const condenseTrafficJob = defineJob({
  name: "condenseTraffic",
  payload: z.object({}),
  cron: { schedule: "42 4 * * *", attempts: 1 },
});
