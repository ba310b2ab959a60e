/** Headers that contain a sender, or authenticate one. */
const senders = /^(from|sender|return-path|resent-[\w-]+|dkim-signature|arc-[\w-]+|authentication-results)$/i;
const addressPattern = /[^\s<>",;:()]+@[^\s<>",;:()]+/g;
const encodedWords = /^(=\?[\w-]+\?[bq]\?[^?\s]*\?=\s*)+$/i;
// A site writes the message, so nothing here may take long: the patterns see a short text only.
const maxHeadBytes = 2 ** 16;
const maxValueLength = 1000;

/**
 * Replaces the sender of a site's message with the platform's own address. A site can write any address into From,
 * and receiving servers refuse such mail, or blame the platform for it. The site's own sender stays as the displayed
 * name and as Reply-To.
 * Undefined if the head of the message is too large.
 */
export function rewriteSender(mime: Buffer, ownAddress: string): Buffer | undefined {
  const end = headEnd(mime);
  if (end > maxHeadBytes) return undefined;
  const fields = unfold(mime.toString("latin1", 0, end));
  const from = fieldValue(fields, "from");
  const replyTo = fieldValue(fields, "reply-to") || from.match(addressPattern)?.at(-1);
  const kept = fields.filter(({ name }) => !senders.test(name) && name.toLowerCase() !== "reply-to");
  const lines = [
    `From: ${displayName(from)} <${ownAddress}>`,
    ...(replyTo ? [`Reply-To: ${replyTo}`] : []),
    ...kept.map(({ line }) => line),
  ];
  return Buffer.concat([
    Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"),
    mime.subarray(end).subarray(gapLength(mime, end)),
  ]);
}

/** Where the empty line between head and body begins. */
function headEnd(mime: Buffer): number {
  const ends = ["\r\n\r\n", "\n\n"].map((gap) => mime.indexOf(gap)).filter((index) => index >= 0);
  return Math.min(...ends, mime.length);
}

function gapLength(mime: Buffer, end: number): number {
  return mime[end] === 13 ? 4 : 2;
}

interface Field {
  name: string;
  /** as it was, possibly over several lines */
  line: string;
}

/** The header fields. Lines that are neither a field nor the continuation of one are left out. */
function unfold(head: string): Field[] {
  const fields: Field[] = [];
  for (const line of head.split(/\r\n|\n|\r/)) {
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
    .replaceAll("\r\n", "")
    .trim()
    .slice(0, maxValueLength);
}

/** The name in front of the address, in quotes unless it consists of encoded words. */
function displayName(from: string): string {
  const bracket = from.lastIndexOf("<");
  const name = (bracket < 0 ? from : from.slice(0, bracket)).trim();
  if (encodedWords.test(name)) return name;
  const plain = name
    .replace(addressPattern, "")
    .replace(/["\\<>]/g, "")
    .trim();
  return `"${plain || "WordPress"}"`;
}
