import { and, eq, lt, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import { removeExpiredGrants } from "./cli/grants.ts";
import type { Db } from "./db/connect.ts";
import { attempts, checkouts, events, sessions, toolTokens } from "./db/schema.ts";
import { removeExpiredTokens } from "./wordpress/ssoTokens.ts";

// The provider repeats an event for days at most, and lists it for a month.
const monthAgo = sql`now() - interval '35 days'`;
const everyHour = 60 * 60 * 1000;

/** Removes, now and every hour, what has run out. Returns what stops it. */
export function startSweeping(db: Db, log: FastifyBaseLogger) {
  const sweep = async () => {
    await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
    await db.delete(events).where(lt(events.receivedAt, monthAgo));
    await db.delete(checkouts).where(and(eq(checkouts.state, "expired"), lt(checkouts.createdAt, monthAgo)));
    // What a newer job of the same key has replaced while it ran, and whose worker died.
    await db.execute(
      sql`delete from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null`,
    );
    await removeExpiredTokens(db);
    await removeExpiredGrants(db);
    await db.delete(toolTokens).where(lt(toolTokens.expiresAt, sql`now()`));
    await db.delete(attempts).where(lt(attempts.resetsAt, sql`now()`));
  };
  const run = () => void sweep().catch((error) => log.warn({ err: error }, "expired rows were not removed"));
  run();
  const timer = setInterval(run, everyHour);
  return () => clearInterval(timer);
}
