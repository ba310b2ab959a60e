import type { Language } from "@nido/contract";
import { sql } from "drizzle-orm";
import type { Config } from "../config/parseConfig.ts";
import type { Db, Tx } from "../db/connect.ts";
import { mailMessages, users } from "../db/schema.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { SecretBox } from "../platform/SecretBox.ts";
import { sendCodeJob, sendMessageJob } from "./jobs.ts";
import {
  type MailName,
  type MailParams,
  minutesOf,
  type OperatorMailName,
  type PlainMailName,
  type SecretMailName,
  topicOf,
} from "./templates.ts";

/**
 * The messages of one kind that an address gets in a day, so that nobody can fill a mailbox. Each kind counts for
 * itself: messages that strangers can cause must not use up what the owner has to know.
 */
const maxOfKindPerDay = 50;

interface Address {
  email: string;
  lang: Language;
  userId?: string;
}

interface Message {
  template: MailName;
  params: object;
  secrets?: Buffer;
  key?: string;
}

/** Adds a message to a customer as part of the transaction. With a key, a message is sent once however often it is added. */
export async function mailCustomer<Name extends PlainMailName>(
  tx: Tx | Db,
  userId: string,
  template: Name,
  params: MailParams[Name],
  key?: string,
) {
  const [customer] = await tx
    .select({ email: users.email, lang: users.lang, muted: users.mutedMail })
    .from(users)
    .where(sql`${users.id} = ${userId}`);
  const topic = topicOf[template];
  if (!customer || (topic && customer.muted.includes(topic))) return;
  await insert(tx, { ...customer, userId }, { template, params, ...(key && { key }) });
}

/** Adds a message to an address, which may be nobody's. */
export function mailAddress<Name extends PlainMailName>(tx: Tx, to: Address, template: Name, params: MailParams[Name]) {
  return insert(tx, to, { template, params });
}

/** Adds a message to whoever runs the product. */
export function mailOperator<Name extends OperatorMailName>(
  tx: Tx,
  { SUPPORT_EMAIL: email }: Pick<Config, "SUPPORT_EMAIL">,
  template: Name,
  params: MailParams[Name],
) {
  return insert(tx, { email, lang: "en" }, { template, params });
}

/** Adds a message whose links or codes open an account. They are encrypted until it is sent. */
export function mailSecrets<Name extends SecretMailName>(
  tx: Tx,
  box: SecretBox,
  to: Address,
  template: Name,
  { secrets, ...params }: MailParams[Name],
) {
  return insert(tx, to, { template, params, secrets: box.seal(JSON.stringify(secrets), secretsOf(to.email)) });
}

export function secretsOf(recipient: string): string {
  return `mail to ${recipient}`;
}

async function insert(db: Tx | Db, to: Address, message: Message) {
  // The message and its job are one change.
  if ("transactionOf" in db) await db.transaction((tx) => insertWithJob(tx, to, message));
  else await insertWithJob(db, to, message);
}

async function insertWithJob(tx: Tx, { email, lang, userId }: Address, { template, params, secrets, key }: Message) {
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into ${mailMessages} (user_id, recipient, lang, template, params, secrets, key, expires_at)
    select ${userId ?? null}, ${email}, ${lang}, ${template}, ${JSON.stringify(params)}::jsonb, ${secrets ?? null},
      ${key ?? null}, now() + make_interval(mins => ${usefulMinutes(template)})
    where (select count(*) from ${mailMessages}
      where lower(recipient) = ${email.toLowerCase()} and template = ${template} and created_at > now() - interval '1 day') < ${maxOfKindPerDay}
    on conflict (key) do nothing returning id`);
  if (rows[0]) await enqueue(tx, jobOf(template), { messageId: rows[0].id });
}

/** Queues the messages that were written while there was no mail server. */
export async function queueWaiting(db: Db) {
  const rows = await db
    .select({ id: mailMessages.id, template: mailMessages.template })
    .from(mailMessages)
    .where(sql`${mailMessages.status} = 'waiting' and ${mailMessages.expiresAt} > now()`);
  // By the same job as before, so that one which still waits is not joined by a second.
  for (const { id, template } of rows) await enqueue(db, jobOf(template), { messageId: id });
}

function jobOf(template: string) {
  return template in minutesOf ? sendCodeJob : sendMessageJob;
}

function usefulMinutes(template: MailName): number {
  return template in minutesOf ? minutesOf[template as keyof typeof minutesOf] : 3 * 24 * 60;
}
