import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { sendMessageJob } from "./jobs.ts";
import type { Mail } from "./Mail.ts";
import { sendMessage, type Transport } from "./sendMessage.ts";

/** None without a mail server: messages wait in the outbox until one is set. */
export function mailJobHandlers(mail: Mail, transport: Transport | undefined): JobHandler[] {
  if (!transport) return [];
  return [handleJob(sendMessageJob, ({ messageId }) => sendMessage(mail, transport, messageId))];
}
