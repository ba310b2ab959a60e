import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

export const sendMessageJob = defineJob({
  name: "sendMessage",
  payload: z.object({ messageId: z.uuid() }),
  key: "messageId",
  pool: "mail",
});
