import { inArray, sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import { attempts } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";

const windowMinutes = 15;

export interface Limit {
  key: string;
  most: number;
}

/**
 * Counts one attempt against each limit before it is made, so that a volley of them is bounded too.
 * Counted in the database: all processes share the count.
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
  const isOver = rows.some((row) => limits.some((limit) => limit.key === row.key && row.count > limit.most));
  if (isOver) throw new AppError("error_too_many_requests");
}

/** An attempt that succeeded was no attack: it counts for nothing. */
export async function forgiveAttempt(db: Db, limits: Limit[]) {
  const keys = sorted(limits).map(({ key }) => key);
  await db
    .update(attempts)
    .set({ count: sql`greatest(${attempts.count} - 1, 0)` })
    .where(inArray(attempts.key, keys));
}

// Always in one order: two callers that lock the same rows in opposite orders would wait for each other.
function sorted(limits: Limit[]): Limit[] {
  return limits.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
