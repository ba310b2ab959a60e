import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../db/connect.ts";
import { addTraffic, type Counts } from "./queries.ts";
import { RequestLog } from "./RequestLog.ts";
import type { VisitKind } from "./visitKind.ts";

/** What a kill -9 can lose. */
const flushIntervalMs = 10_000;

/** Counts the visits of sites in memory, and adds them to the database every ten seconds. No address is kept. */
export class Traffic {
  readonly requests: RequestLog;
  private readonly db: Db;
  private readonly log: FastifyBaseLogger;
  private counts = new Map<string, Counts>();
  private flushing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(db: Db, log: FastifyBaseLogger) {
    this.db = db;
    this.log = log;
    this.requests = new RequestLog(db);
  }

  start() {
    this.timer = setInterval(() => {
      void this.flush();
      this.requests.recent.forgetOld();
    }, flushIntervalMs);
    this.timer.unref();
  }

  async stop() {
    clearInterval(this.timer);
    await this.flush();
  }

  /** A response to a visitor. On the fast path: it must cost next to nothing. */
  count(siteId: string, kind: VisitKind, isShown: boolean, bytes: number) {
    const counts = this.of(siteId);
    counts.requests++;
    counts.bytes += bytes;
    if (kind.isBot) counts.bots++;
    else if (kind.isDocument && isShown) {
      counts.views++;
      if (kind.isArrival) counts.visits++;
    }
  }

  countPhp(siteId: string, ms: number) {
    this.of(siteId).phpMs += ms;
  }

  /** Adds what was counted to the database. If that fails, it is counted with the next attempt. */
  flush(): Promise<void> {
    this.flushing = this.flushing.then(async () => {
      const counted = this.counts;
      if (counted.size === 0) return;
      this.counts = new Map();
      try {
        await addTraffic(this.db, counted);
      } catch (error) {
        this.log.warn({ err: error }, "could not store the traffic of sites");
        for (const [siteId, counts] of counted) add(this.of(siteId), counts);
      }
    });
    return this.flushing;
  }

  private of(siteId: string): Counts {
    let counts = this.counts.get(siteId);
    if (!counts) {
      counts = { requests: 0, bots: 0, views: 0, visits: 0, bytes: 0, phpMs: 0 };
      this.counts.set(siteId, counts);
    }
    return counts;
  }
}

function add(to: Counts, more: Counts) {
  for (const name of Object.keys(more) as (keyof Counts)[]) to[name] += more[name];
}
