import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

export const sendMessageJob = defineJob({
  name: "sendMessage",
  payload: z.object({ messageId: z.uuid() }),
  key: "messageId",
  pool: "mail",
});

/** For messages that somebody waits for, and that expire soon. They do not wait for the others. */
export const sendCodeJob = defineJob({ ...sendMessageJob, name: "sendCode", priority: -1 });
