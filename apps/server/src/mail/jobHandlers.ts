import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { sendMessageJob } from "./jobs.ts";
import type { Mail } from "./Mail.ts";
import { openTransport, sendMessage } from "./sendMessage.ts";

/** None without a mail server: messages wait in the outbox until one is set. */
export function mailJobHandlers(mail: Mail): JobHandler[] {
  if (!mail.smtpUrl) return [];
  const transport = openTransport(mail.smtpUrl);
  return [handleJob(sendMessageJob, ({ messageId }) => sendMessage(mail, transport, messageId))];
}
