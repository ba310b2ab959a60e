import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** Compresses the files of a deploy. One deploy at a time: Brotli's best quality keeps a core busy. */
export const compressDeployJob = defineJob({
  name: "compressDeploy",
  payload: z.object({ deployId: z.string(), userId: z.string() }),
  key: "deployId",
  queue: "compression",
});

/** Removes old deploys and the blobs that only they used. */
export const removeOldDeploysJob = defineJob({
  name: "removeOldDeploys",
  payload: z.object({}),
  cron: { schedule: "32 3 * * *", attempts: 3 },
});
