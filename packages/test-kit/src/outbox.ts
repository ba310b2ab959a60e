import { mailMessages } from "@nido/server/db/schema";
import { asc } from "drizzle-orm";
import type { TestApp } from "./app.ts";

interface OutboxMessage {
  to: string;
  template: string;
  lang: string;
  params: Record<string, unknown>;
  /** decrypted */
  secrets: { token: string; code: string };
}

/** The messages to customers that the product has written so far, the oldest first. */
export async function readOutbox({ db, mail }: TestApp): Promise<OutboxMessage[]> {
  const rows = await db.select().from(mailMessages).orderBy(asc(mailMessages.createdAt));
  return rows.map(({ recipient: to, template, lang, params, secrets }) => ({
    to,
    template,
    lang,
    params: params as Record<string, unknown>,
    secrets: secrets ? JSON.parse(mail.box.open(secrets, `mail to ${to}`)) : {},
  }));
}
