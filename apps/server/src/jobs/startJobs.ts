import { EventEmitter } from "node:events";
import type { FastifyBaseLogger } from "fastify";
import { Logger, parseCrontab, run, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import type { JobName, Jobs } from "./enqueue.ts";
import { watchOverWorkers } from "./watchOverWorkers.ts";

export type Performers = { [Name in JobName]?: (payload: Jobs[Name]) => Promise<void> };

const shutdownLimit = 2500;

/** Carries out jobs until it is stopped. Returns what stops it. */
export async function startJobs(databaseUrl: string, performers: Performers, schedule: string, log: FastifyBaseLogger) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, connectionTimeoutMillis: 5000 });
  const onError = (error: Error) => log.warn({ err: error }, "a worker's connection broke");
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));

  const events = new EventEmitter() as WorkerEvents;
  const poolIds = new Promise<string>((resolve) => {
    events.once("pool:create", ({ workerPool }) => resolve(workerPool.id));
  });
  const runner = await run({
    pgPool: pool,
    taskList: Object.fromEntries(
      Object.entries(performers).map(([name, perform]) => [name, (payload: unknown) => perform(payload as never)]),
    ),
    parsedCronItems: parseCrontab(schedule),
    events,
    concurrency: 5,
    noHandleSignals: true,
    logger: new Logger(() => (level, message, meta) => {
      // Not the worker's own words: they contain the error's, with what it was about.
      if (level === "error") log.error({ err: meta?.["error"] ?? new Error(message.split("\n")[0]) }, "a job failed");
      else log.debug(message);
    }),
    // Batched completions are lost when a worker stops: see the worker's issue on graceful shutdown.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, pollInterval: 1000 } },
  });
  const watch = watchOverWorkers(databaseUrl, await poolIds, log);

  return async () => {
    // A job that does not end in time is taken up again by the next worker.
    const limit = new Promise((resolve) => setTimeout(resolve, shutdownLimit).unref());
    await Promise.race([runner.stop().catch(() => undefined), limit]);
    await watch.stop();
    await Promise.race([pool.end().catch(() => undefined), limit]);
  };
}
