import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** Takes a picture of a project's site. One at a time: it starts a browser. */
export const takePictureJob = defineJob({
  name: "takePicture",
  payload: z.object({ projectId: z.uuid() }),
  key: "projectId",
  pool: "deploys",
  queue: "pictures",
  priority: 10,
  attempts: 3,
});

/** Renews the pictures of sites that had visitors. */
export const renewPicturesJob = defineJob({
  name: "renewPictures",
  payload: z.object({}),
  cron: { schedule: "22 5 * * *", attempts: 1 },
});
