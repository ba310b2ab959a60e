const headEnd = /\r?\n\r?\n/;
/** Headers that contain a sender, or authenticate one. */
const senders = /^(from|sender|return-path|resent-[\w-]+|dkim-signature|arc-[\w-]+|authentication-results)$/i;
const addressPattern = /[^\s<>",;:()]+@[^\s<>",;:()]+/;

/**
 * Replaces the sender of a site's message with the platform's own address. A site can write any address into From,
 * and receiving servers refuse such mail, or blame the platform for it. The site's own sender stays as the displayed
 * name and as Reply-To.
 */
export function rewriteSender(mime: Buffer, ownAddress: string): Buffer {
  const text = mime.toString("latin1");
  const end = headEnd.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  const rest = end ? text.slice(end.index) : "\r\n\r\n";
  const fields = unfold(head);
  const from = fieldValue(fields, "from");
  const replyTo = fieldValue(fields, "reply-to") || addressPattern.exec(from)?.[0];
  const kept = fields.filter(({ name }) => !senders.test(name) && name.toLowerCase() !== "reply-to");
  const lines = [
    `From: ${displayName(from)} <${ownAddress}>`,
    ...(replyTo ? [`Reply-To: ${replyTo}`] : []),
    ...kept.map(({ line }) => line),
  ];
  return Buffer.from(lines.join("\r\n") + rest, "latin1");
}

interface Field {
  name: string;
  /** as it was, possibly over several lines */
  line: string;
}

/** The header fields. Lines that are neither a field nor the continuation of one are left out. */
function unfold(head: string): Field[] {
  const fields: Field[] = [];
  for (const line of head.split(/\r?\n/)) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line)) {
      if (last) last.line += `\r\n${line}`;
      continue;
    }
    const name = /^([!-9;-~]+)[ \t]*:/.exec(line)?.[1];
    if (name) fields.push({ name, line });
  }
  return fields;
}

function fieldValue(fields: Field[], name: string): string {
  const line = fields.find((field) => field.name.toLowerCase() === name)?.line ?? "";
  return line
    .slice(line.indexOf(":") + 1)
    .replace(/\r\n/g, "")
    .trim();
}

/** The name in front of the address, in quotes unless it is an encoded word. */
function displayName(from: string): string {
  const name = from
    .replace(/<[^>]*>.*$/, "")
    .replace(addressPattern, "")
    .replace(/["\\]/g, "")
    .trim();
  return name.startsWith("=?") ? name : `"${name || "WordPress"}"`;
}
