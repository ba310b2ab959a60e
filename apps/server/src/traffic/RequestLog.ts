import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { RequestLogPage } from "@nido/contract";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../db/connect.ts";
import { type NumberedRequest, RecentRequests } from "./RecentRequests.ts";

const askChannel = "nido_requests_asked";
const answerChannel = "nido_requests_answered";

/** How long processes may take to answer. One that is later answers the next question. */
const answerMs = 400;
/** PostgreSQL's limit for a notification is 8000 bytes. */
const maxAnswerBytes = 7500;
const maxProcesses = 100;

const askSchema = z.object({ id: z.string(), site: z.string(), seen: z.record(z.string(), z.number()) });
const answerSchema = z.object({
  id: z.string(),
  process: z.string(),
  requests: z.array(z.custom<NumberedRequest>()),
});

type Seen = Record<string, number>;

/**
 * The requests of the last minutes to a site, from the memory of all processes that serve it. They are asked by NOTIFY,
 * and nothing is stored.
 */
export class RequestLog {
  readonly recent = new RecentRequests();
  readonly channels = {
    [askChannel]: (text: string) => this.answer(text),
    [answerChannel]: (text: string) => this.collect(text),
  };
  private readonly db: Db;
  private readonly process = randomUUID().slice(0, 8);
  private readonly open = new Map<string, { requests: NumberedRequest[]; seen: Seen }>();

  constructor(db: Db) {
    this.db = db;
  }

  /** The requests that the cursor has not seen. */
  async read(siteId: string, cursor: string | undefined): Promise<RequestLogPage> {
    const id = randomUUID().slice(0, 8);
    const collected = { requests: [] as NumberedRequest[], seen: parseCursor(cursor) };
    this.open.set(id, collected);
    try {
      await notify(this.db, askChannel, [{ id, site: siteId, seen: collected.seen }]);
      await pause(answerMs);
    } finally {
      this.open.delete(id);
    }
    const { requests, seen } = collected;
    requests.sort((one, other) => (one.at < other.at ? -1 : 1));
    return { requests: requests.map(({ sequence: _, ...request }) => request), cursor: JSON.stringify(seen) };
  }

  private answer(text: string) {
    const question = parse(askSchema, text);
    if (!question) return;
    const requests = this.recent.after(question.site, question.seen[this.process] ?? 0);
    const answers = inParts(requests).map((part) => ({ id: question.id, process: this.process, requests: part }));
    // If this fails, the next question gets the same requests.
    if (answers.length > 0) notify(this.db, answerChannel, answers).catch(() => undefined);
  }

  private collect(text: string) {
    const answer = parse(answerSchema, text);
    const asked = answer && this.open.get(answer.id);
    const last = answer?.requests.at(-1);
    if (!asked || !last) return;
    asked.requests.push(...answer.requests);
    asked.seen[answer.process] = last.sequence;
  }
}

function inParts(requests: NumberedRequest[]): NumberedRequest[][] {
  const parts: NumberedRequest[][] = [];
  let room = 0;
  for (const request of requests) {
    const size = JSON.stringify(request).length + 1;
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
  const seen = cursor === undefined ? {} : parse(z.record(z.string().max(8), z.number()), cursor);
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
