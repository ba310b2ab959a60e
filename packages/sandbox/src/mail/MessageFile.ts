import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export interface StoredMessage {
  id: number;
  /** ISO 8601 */
  at: string;
  recipients: string[];
  /** in the format of RFC 5322 */
  raw: string;
}

const maxMessages = 500;

/** The latest messages, one line of JSON each. Without a file they are kept in memory only. */
export class MessageFile {
  private readonly file: string | undefined;
  private messages: StoredMessage[];

  constructor(file: string | undefined) {
    this.file = file;
    this.messages = file ? readLines(file).slice(-maxMessages) : [];
    if (file) writeFileSync(file, this.messages.map(toLine).join(""));
  }

  add(message: Omit<StoredMessage, "id" | "at">) {
    const id = (this.messages.at(-1)?.id ?? 0) + 1;
    const stored = { id, at: new Date().toISOString(), ...message };
    this.messages = [...this.messages, stored].slice(-maxMessages);
    if (this.file) appendFileSync(this.file, toLine(stored));
  }

  find(id: number): StoredMessage | undefined {
    return this.messages.find((message) => message.id === id);
  }

  /** The newest first. */
  list(): StoredMessage[] {
    return this.messages.toReversed();
  }
}

function readLines(file: string): StoredMessage[] {
  mkdirSync(dirname(file), { recursive: true });
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean).flatMap(parseLine);
  } catch {
    return []; // There is none yet.
  }
}

/** None if the process was killed while it wrote the line. */
function parseLine(line: string): StoredMessage[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function toLine(message: StoredMessage): string {
  return `${JSON.stringify(message)}\n`;
}
