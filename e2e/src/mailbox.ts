import { expect, type Nido } from "./nido.ts";

export interface Message {
  to: string;
  from: string;
  subject: string;
  html: string;
  text: string;
  messageId: string;
  headers: Record<string, string>;
}

/** The messages to an address in the stand-in's mailbox, the newest first. */
async function readMailbox({ sandbox }: Nido, to: string): Promise<Message[]> {
  const response = await fetch(`${sandbox}/mail/messages.json`);
  const messages = (await response.json()) as Message[];
  return messages.filter((message) => message.to === to);
}

/** Waits for a message with this subject. */
export async function waitForMail(nido: Nido, to: string, subject: RegExp): Promise<Message> {
  const find = async () => (await readMailbox(nido, to)).find((message) => subject.test(message.subject));
  await expect.poll(async () => (await find())?.subject).toMatch(subject);
  return (await find()) as Message;
}

export function codeIn({ text }: Message): string {
  return /^\d{6}$/m.exec(text)?.[0] ?? "";
}

/** The path of the first link in a message. */
export function linkIn({ text }: Message): string {
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? "");
  return pathname + search;
}
