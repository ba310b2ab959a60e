import type { FastifyBaseLogger } from "fastify";
import pg from "pg";

const interval = 1000;
const timeout = 5000;
/** A job that its workers do not survive is not started for ever. */
const maxAttempts = 10;

/**
 * Unlocks the jobs of workers that died. graphile-worker's locks last for hours and have no heartbeat. So each worker
 * holds one connection whose application_name is its id: an id without a connection belongs to a dead worker.
 */
export function unlockDeadWorkers(databaseUrl: string, workerId: string, log: FastifyBaseLogger) {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function open() {
    const opened = new pg.Client({
      connectionString: databaseUrl,
      application_name: workerId,
      keepAlive: true,
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
    });
    opened.on("error", () => {
      if (client === opened) client = undefined;
    });
    await opened.connect();
    if (isStopped) return opened.end();
    client = opened;
  }

  async function unlock() {
    try {
      if (!client) await open();
      await client?.query(grantAttempt);
      await client?.query(unlockOrphans);
    } catch (error) {
      await client?.end().catch(() => undefined);
      client = undefined;
      log.warn({ err: error }, "could not unlock the jobs of dead workers");
    }
    if (!isStopped) timer = setTimeout(unlock, interval).unref();
  }
  // Not awaited: an open transaction of a dead worker may hold its rows for a while.
  void unlock();

  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

// A new worker needs a moment to open its connection, so fresh locks are left alone.
const isOrphan = `
  locked_by is not null
    and locked_at < now() - interval '2 seconds'
    and not exists (select from pg_stat_activity where application_name = locked_by)`;
// The death of a worker is no failure of its job, so the last attempt is not lost by it. A job without a key was replaced
// by a newer one, and is not repeated.
const grantAttempt = `
  update graphile_worker._private_jobs set max_attempts = attempts + 1
  where key is not null and attempts >= max_attempts and attempts < ${maxAttempts} and ${isOrphan}`;
const unlockOrphans = `
  select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
  from graphile_worker._private_jobs
  where ${isOrphan}
  having count(*) > 0`;
