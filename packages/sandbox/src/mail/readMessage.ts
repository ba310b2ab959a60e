import PostalMime from "postal-mime";
import type { StoredMessage } from "./MessageFile.ts";

export type ReadMessage = Awaited<ReturnType<typeof readMessage>>;

/** Parses a message. */
export async function readMessage({ id, at, recipients, raw }: StoredMessage) {
  const { subject = "", from, html = "", text = "", messageId = "", headers } = await PostalMime.parse(raw);
  const sender = from && `${from.name} <${from.address}>`;
  const plain = Object.fromEntries(headers.map(({ key, value }) => [key, value]));
  return { id, at, to: recipients.join(", "), from: sender ?? "", subject, html, text, messageId, headers: plain };
}
