import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** Looks up the DNS records of every domain whose check is due. */
export const checkDomainsJob = defineJob({
  name: "checkDomains",
  payload: z.object({}),
  queue: "domains",
  cron: { schedule: "* * * * *", attempts: 3 },
});
