import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { RequestLogPage } from "@nido/contract";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { type NumberedRequest, RecentRequests } from "./RecentRequests.ts";

const askChannel = "nido_requests_asked";

/** How long processes may take to answer. One that is later answers the next question. */
const answerMs = 400;
/** The asking process answers itself, too. If that takes longer, notifications do not arrive. */
const maxAnswerMs = 3000;
/** PostgreSQL's limit for a notification is 8000 bytes. */
const maxAnswerBytes = 7500;
const maxProcesses = 100;

const processId = z.string().regex(/^[0-9a-f]{8}$/);
const seenSchema = z.record(processId, z.number());
const askSchema = z.object({ id: z.string(), asker: processId, site: z.string(), seen: seenSchema });
const answerSchema = z.object({ id: z.string(), process: processId, requests: z.array(z.custom<NumberedRequest>()) });

type Seen = z.infer<typeof seenSchema>;

interface Question {
  requests: NumberedRequest[];
  seen: Seen;
  hasOwnAnswer: () => void;
}

/**
 * The requests of the last minutes to a site, from the memory of all processes that serve it. They are asked by NOTIFY,
 * and nothing is stored.
 */
export class RequestLog {
  readonly recent = new RecentRequests();
  readonly channels: Record<string, (text: string) => void>;
  private readonly db: Db;
  private readonly process = randomBytes(4).toString("hex");
  private readonly open = new Map<string, Question>();

  constructor(db: Db) {
    this.db = db;
    // Only the process that asked gets the answers.
    this.channels = {
      [askChannel]: (text) => this.answer(text),
      [answerChannel(this.process)]: (text) => this.collect(text),
    };
  }

  /** The requests that the cursor has not seen. */
  async read(siteId: string, cursor: string | undefined): Promise<RequestLogPage> {
    const id = randomBytes(4).toString("hex");
    const ownAnswer = Promise.withResolvers<true>();
    const question: Question = {
      requests: [],
      seen: parseCursor(cursor),
      hasOwnAnswer: () => ownAnswer.resolve(true),
    };
    this.open.set(id, question);
    try {
      await notify(this.db, askChannel, [{ id, asker: this.process, site: siteId, seen: question.seen }]);
      const [isListening] = await Promise.all([
        Promise.race([ownAnswer.promise, pause(maxAnswerMs, false)]),
        pause(answerMs),
      ]);
      if (!isListening) throw new AppError("error_requests_unavailable");
    } finally {
      this.open.delete(id);
    }
    const { requests, seen } = question;
    requests.sort((one, other) => (one.at < other.at ? -1 : 1));
    return { requests: requests.map(({ sequence: _, ...request }) => request), cursor: JSON.stringify(seen) };
  }

  private answer(text: string) {
    const question = parse(askSchema, text);
    if (!question) return;
    const { id, asker, site, seen } = question;
    const parts = inParts(this.recent.after(site, seen[this.process] ?? 0));
    if (parts.length === 0 && asker === this.process) parts.push([]);
    const answers = parts.map((requests) => ({ id, process: this.process, requests }));
    // If this fails, the next question gets the same requests.
    if (answers.length > 0) notify(this.db, answerChannel(asker), answers).catch(() => undefined);
  }

  private collect(text: string) {
    const answer = parse(answerSchema, text);
    const question = answer && this.open.get(answer.id);
    if (!question) return;
    question.requests.push(...answer.requests);
    const last = answer.requests.at(-1);
    if (last) question.seen[answer.process] = last.sequence;
    if (answer.process === this.process) question.hasOwnAnswer();
  }
}

function answerChannel(asker: string): string {
  return `nido_requests_${asker}`;
}

function inParts(requests: NumberedRequest[]): NumberedRequest[][] {
  const parts: NumberedRequest[][] = [];
  let room = 0;
  for (const request of requests) {
    const size = Buffer.byteLength(JSON.stringify(request)) + 1;
    if (size > room) {
      parts.push([]);
      room = maxAnswerBytes;
    }
    parts.at(-1)?.push(request);
    room -= size;
  }
  return parts;
}

async function notify(db: Db, channel: string, payloads: object[]) {
  const texts = JSON.stringify(payloads.map((payload) => JSON.stringify(payload)));
  await db.execute(sql`select pg_notify(${channel}, text) from json_array_elements_text(${texts}::json) as text`);
}

/** A wrong cursor is none: the customer sees some requests again. */
function parseCursor(cursor: string | undefined): Seen {
  const seen = cursor === undefined ? {} : parse(seenSchema, cursor);
  return Object.fromEntries(Object.entries(seen ?? {}).slice(-maxProcesses));
}

/** Undefined for what another version of the server, or a customer, wrote in another form. */
function parse<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
