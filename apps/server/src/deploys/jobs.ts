import { sql } from "drizzle-orm";
import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** Compresses the files of a deploy; one deploy of a customer at a time. */
export const compressDeployJob = defineJob({
  name: "compressDeploy",
  payload: z.object({ deployId: z.string(), userId: z.string() }),
  key: "deployId",
  pool: "deploys",
  queue: ({ userId }) => sql`${`deploys:${userId}`}::text`,
});

/** Removes old deploys and the blobs that only they used. */
export const removeOldDeploysJob = defineJob({
  name: "removeOldDeploys",
  payload: z.object({}),
  pool: "deploys",
  cron: { schedule: "32 3 * * *", attempts: 3 },
});
