import { createTransport } from "nodemailer";
import type { Mail } from "./Mail.ts";
import { endMessage, findWaiting, isSuppressed, type MessageRow, suppress } from "./queries.ts";
import { secretsOf } from "./queueMail.ts";
import { renderMail } from "./renderMail.ts";
import { type MailName, type MailParams, topicOf } from "./templates.ts";

export type Transport = ReturnType<typeof createTransport>;

export function openTransport(smtpUrl: string): Transport {
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
  return createTransport({ url: smtpUrl, pool: true, ...timeouts });
}

/**
 * Sends a message of the outbox. It may be sent twice if the process dies before it is recorded: both have the same
 * Message-ID. Throws if the mail server cannot take it now, so that the job is retried.
 */
export async function sendMessage(mail: Mail, transport: Transport, id: string) {
  const { db } = mail;
  const message = await findWaiting(db, id);
  if (!message) return;
  const hasTopic = topicOf[message.template as MailName] !== undefined;
  if (message.expiresAt < new Date()) return endMessage(db, id, "expired");
  if (await isSuppressed(db, message.recipient, hasTopic)) return endMessage(db, id, "suppressed");
  try {
    await transport.sendMail(compose(mail, message));
  } catch (error) {
    if (!isPermanent(error)) throw error;
    mail.log.warn({ err: error, template: message.template }, "the mail server refused a message");
    if (isUnknownRecipient(error)) await suppress(db, { address: message.recipient, reason: "refused" });
    return endMessage(db, id, "refused");
  }
  await endMessage(db, id, "sent");
}

function compose({ box, unsubscribe, brand, appUrl, supportEmail }: Mail, message: MessageRow) {
  const { id, userId, recipient, lang, params, secrets } = message;
  const template = message.template as MailName;
  const topic = topicOf[template];
  const unsubscribeUrl = topic && userId ? unsubscribe.urlFor(userId, topic) : undefined;
  const whole = {
    ...(params as object),
    ...(secrets && { secrets: JSON.parse(box.open(secrets, secretsOf(recipient))) }),
  };
  const rendered = renderMail(template, whole as MailParams[MailName], lang, {
    brand,
    appUrl,
    supportEmail,
    reader: userId ? "customer" : template.startsWith("operator") ? "operator" : "stranger",
    unsubscribeUrl,
  });
  return {
    ...rendered,
    from: { name: brand, address: supportEmail },
    to: { name: "", address: recipient },
    messageId: `<${id}@${appUrl.hostname}>`,
    date: message.createdAt,
    headers: { "Auto-Submitted": "auto-generated", ...(unsubscribeUrl && oneClick(unsubscribeUrl)) },
  };
}

/** RFC 8058. */
function oneClick(url: string) {
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

interface SmtpError {
  responseCode?: number;
  response?: string;
  command?: string;
}

/** A refusal of this message or its recipient. Any other fault is the operator's to mend, and is retried. */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, command = "" } = error as SmtpError;
  return responseCode >= 500 && /^(RCPT TO|DATA|API)/.test(command);
}

/** RFC 3463: bad mailbox, system, syntax, moved or null MX. Other refusals may be about the sender. */
const unknownRecipient = /^5\.1\.(1|2|3|6|10)$/;

function isUnknownRecipient(error: unknown): boolean {
  const [, status = ""] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec((error as SmtpError).response ?? "") ?? [];
  return unknownRecipient.test(status);
}
