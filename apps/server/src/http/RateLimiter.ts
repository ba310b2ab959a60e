import { and, eq, gt, lt, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { type RateLimit, type RateLimitName, rateLimits } from "../config/rateLimits.ts";
import type { Db } from "../db/connect.ts";
import { attempts } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";

/** What this process may still allow without asking the database. */
interface Allowance {
  /** 0: the limit is reached */
  left: number;
  until: number;
}

/** A process reserves this part of a limit at a time, so that with a large limit most requests need no query. */
const part = 1 / 20;
const maxSubjects = 50_000;
/** A refusal is repeated from memory for this long, so that a flood costs one query in this time. */
const refusalTime = 1000;

/**
 * Rate limits in fixed windows, counted in the database for all processes together. A use is counted before it happens,
 * so that concurrent ones are limited, too.
 */
export class RateLimiter {
  private readonly db: Db;
  private readonly allowances = new LRUCache<string, Allowance>({ max: maxSubjects });
  private readonly reserving = new Map<string, Promise<void>>();

  constructor(db: Db) {
    this.db = db;
  }

  /** Counts one use; throws `error_too_many_requests` beyond the limit. */
  async take(name: RateLimitName, subject: string) {
    if (!(await this.tryTake(name, subject))) throw new AppError("error_too_many_requests");
  }

  async tryTake(name: RateLimitName, subject: string): Promise<boolean> {
    const key = keyOf(name, subject);
    for (;;) {
      const allowance = this.allowances.get(key);
      if (!allowance || allowance.until <= Date.now()) {
        await this.reserveOnce(key, rateLimits[name]);
        continue;
      }
      if (allowance.left === 0) return false;
      allowance.left--;
      if (allowance.left === 0) this.allowances.delete(key);
      return true;
    }
  }

  /** Counts several uses at once, or none if that would exceed the limit. Always asks the database. */
  async takeMany(name: RateLimitName, subject: string, count: number): Promise<boolean> {
    const { max, minutes } = rateLimits[name];
    if (count > max) return false;
    const isOver = sql`${attempts.resetsAt} < now()`;
    const rows = await this.db
      .insert(attempts)
      .values({ key: keyOf(name, subject), count, resetsAt: sql`now() + make_interval(mins => ${minutes})` })
      .onConflictDoUpdate({
        target: attempts.key,
        set: {
          count: sql`case when ${isOver} then ${count} else ${attempts.count} + ${count} end`,
          resetsAt: sql`case when ${isOver} then excluded.resets_at else ${attempts.resetsAt} end`,
        },
        setWhere: sql`${isOver} or ${attempts.count} + ${count} <= ${max}`,
      })
      .returning({ key: attempts.key });
    return rows.length > 0;
  }

  /** Takes back the count of uses that were legitimate after all, or did not happen. */
  async forgive(name: RateLimitName, subject: string, count = 1) {
    const key = keyOf(name, subject);
    this.allowances.delete(key);
    await this.db
      .update(attempts)
      .set({ count: sql`greatest(${attempts.count} - ${count}, 0)` })
      .where(eq(attempts.key, key));
  }

  /** How many uses were counted in the current window. */
  async countOf(name: RateLimitName, subject: string): Promise<number> {
    const isCurrent = and(eq(attempts.key, keyOf(name, subject)), gt(attempts.resetsAt, sql`now()`));
    const [row] = await this.db.select({ count: attempts.count }).from(attempts).where(isCurrent);
    return row?.count ?? 0;
  }

  /** Concurrent requests share one reservation. */
  private async reserveOnce(key: string, limit: RateLimit) {
    const reserving = this.reserving.get(key) ?? this.reserve(key, limit).finally(() => this.reserving.delete(key));
    this.reserving.set(key, reserving);
    await reserving;
  }

  /** Reserves a part of the limit for this process. */
  private async reserve(key: string, { max, minutes }: RateLimit) {
    const reserved = Math.max(1, Math.floor(max * part));
    const isOver = sql`${attempts.resetsAt} < now()`;
    const [row] = await this.db
      .insert(attempts)
      .values({ key, count: reserved, resetsAt: sql`now() + make_interval(mins => ${minutes})` })
      .onConflictDoUpdate({
        target: attempts.key,
        set: {
          count: sql`case when ${isOver} then ${reserved} else least(${attempts.count} + ${reserved}, ${max + reserved}) end`,
          resetsAt: sql`case when ${isOver} then excluded.resets_at else ${attempts.resetsAt} end`,
        },
      })
      .returning({
        count: attempts.count,
        msLeft: sql<number>`extract(epoch from ${attempts.resetsAt} - now())::float8 * 1000`,
      });
    const { count, msLeft } = row as NonNullable<typeof row>;
    const granted = Math.min(Math.max(max - (count - reserved), 0), reserved);
    // At least 1 ms: otherwise `tryTake` would query again and again while a window is just ending.
    const lifetime = granted > 0 ? Math.max(msLeft, 1) : Math.min(Math.max(msLeft, 1), refusalTime);
    this.allowances.set(key, { left: granted, until: Date.now() + lifetime });
  }
}

function keyOf(name: RateLimitName, subject: string): string {
  return `${name} ${subject}`;
}

export async function removeExpiredAttempts(db: Db) {
  await db.delete(attempts).where(lt(attempts.resetsAt, sql`now()`));
}
