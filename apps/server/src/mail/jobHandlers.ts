import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { sendCodeJob, sendMessageJob } from "./jobs.ts";
import type { Mail } from "./Mail.ts";
import { sendMessage, type Transport } from "./sendMessage.ts";

/** Without a mail server, messages stay in the outbox: `queueWaiting` finds them once there is one. */
export function mailJobHandlers(mail: Mail, transport: Transport | undefined): JobHandler[] {
  return [sendMessageJob, sendCodeJob].map((job) =>
    handleJob(job, ({ messageId }) => (transport ? sendMessage(mail, transport, messageId) : undefined)),
  );
}
