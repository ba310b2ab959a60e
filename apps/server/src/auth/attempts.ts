import { inArray, lt, sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import { attempts } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";

const windowMinutes = 15;

export interface Limit {
  key: string;
  max: number;
}

/**
 * Counts an attempt against each limit before it is made, so that concurrent attempts are limited too. All processes
 * share the count, because it is in the database.
 */
export async function countAttempt(db: Db, limits: Limit[]) {
  const rows = await db
    .insert(attempts)
    .values(
      sorted(limits).map(({ key }) => ({
        key,
        count: 1,
        resetsAt: sql`now() + make_interval(mins => ${windowMinutes})`,
      })),
    )
    .onConflictDoUpdate({
      target: attempts.key,
      set: {
        count: sql`case when ${attempts.resetsAt} < now() then 1 else ${attempts.count} + 1 end`,
        resetsAt: sql`case when ${attempts.resetsAt} < now() then excluded.resets_at else ${attempts.resetsAt} end`,
      },
    })
    .returning({ key: attempts.key, count: attempts.count });
  const isOver = rows.some((row) => limits.some((limit) => limit.key === row.key && row.count > limit.max));
  if (isOver) throw new AppError("error_too_many_requests");
}

/** Takes back the count of an attempt that succeeded. */
export async function forgiveAttempt(db: Db, limits: Limit[]) {
  const keys = sorted(limits).map(({ key }) => key);
  await db
    .update(attempts)
    .set({ count: sql`greatest(${attempts.count} - 1, 0)` })
    .where(inArray(attempts.key, keys));
}

// Always in the same order, so that two callers cannot deadlock on the same rows.
function sorted(limits: Limit[]): Limit[] {
  return limits.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

export async function removeExpiredAttempts(db: Db) {
  await db.delete(attempts).where(lt(attempts.resetsAt, sql`now()`));
}
