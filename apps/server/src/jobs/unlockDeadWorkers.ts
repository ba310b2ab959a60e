import type { FastifyBaseLogger } from "fastify";
import pg from "pg";

const every = 1000;
const patience = 5000;

/**
 * Gives back the jobs of workers that died. A worker's locks last for hours, and nothing says that it lives;
 * so each holds a connection that bears its name, and a name without a connection is a worker that is gone.
 */
export function watchOverWorkers(databaseUrl: string, workerId: string, log: FastifyBaseLogger) {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function open() {
    const opened = new pg.Client({
      connectionString: databaseUrl,
      application_name: workerId,
      keepAlive: true,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
    });
    opened.on("error", () => {
      if (client === opened) client = undefined;
    });
    await opened.connect();
    if (isStopped) return opened.end();
    client = opened;
  }

  async function look() {
    try {
      if (!client) await open();
      await client?.query(unlockOrphans);
    } catch (error) {
      await client?.end().catch(() => undefined);
      client = undefined;
      log.warn({ err: error }, "jobs of dead workers could not be looked for");
    }
    if (!isStopped) timer = setTimeout(look, every).unref();
  }
  // Not waited for: what a dead worker had begun may keep its jobs locked for a while.
  void look();

  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

// Only what has been locked for longer than a worker needs to show its own connection.
const unlockOrphans = `
  select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
  from graphile_worker._private_jobs
  where locked_by is not null
    and locked_at < now() - interval '2 seconds'
    and not exists (select from pg_stat_activity where application_name = locked_by)
  having count(*) > 0`;
