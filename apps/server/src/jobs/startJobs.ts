import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { Logger, parseCrontab, run, type Task, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import type { JobName, Jobs } from "./enqueue.ts";
import { watchOverWorkers } from "./unlockDeadWorkers.ts";

/** What carries out each job. `attempt` counts from 1. */
export type Performers = { [Name in JobName]?: (payload: Jobs[Name], attempt: number) => Promise<void> };

const shutdownLimit = 1500;
const restartPause = 1000;

/** Carries out jobs until it is stopped. Returns what stops it. */
export async function startJobs(databaseUrl: string, performers: Performers, schedule: string, log: FastifyBaseLogger) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, connectionTimeoutMillis: 5000 });
  const onError = (error: Error) => log.warn({ err: error }, "a worker's connection broke");
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));

  let isStopping = false;
  let worker = await launch();
  void keepRunning();

  async function launch() {
    const events = new EventEmitter() as WorkerEvents;
    const poolId = new Promise<string>((resolve) => {
      events.once("pool:create", ({ workerPool }) => resolve(workerPool.id));
    });
    const runner = await run({
      pgPool: pool,
      taskList: Object.fromEntries(
        Object.entries(performers).map(([name, perform]): [string, Task] => [
          name,
          (payload, { job }) => perform(payload as never, job.attempts),
        ]),
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
      // At once: what waits to be reported done is lost when a worker stops.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, pollInterval: 1000 } },
    });
    return { runner, watch: watchOverWorkers(databaseUrl, await poolId, log) };
  }

  /** A worker that cannot report a job done, because the database went away, gives up; another one takes its place. */
  async function keepRunning() {
    while (!isStopping) {
      await worker.runner.promise.catch(() => undefined);
      // Its name goes with it: what it had locked is free again.
      await worker.watch.stop();
      while (!isStopping) {
        log.error("the worker gave up, and is started again");
        await pause(restartPause);
        const next = await launch().catch((error) => void log.warn({ err: error }, "the worker could not be started"));
        if (!next) continue;
        worker = next;
        break;
      }
    }
  }

  return async () => {
    isStopping = true;
    // A job that does not end in time is taken up again by the next worker.
    const limit = pause(shutdownLimit, undefined, { ref: false });
    await Promise.race([worker.runner.stop().catch(() => undefined), limit]);
    await worker.watch.stop();
    await Promise.race([pool.end().catch(() => undefined), limit]);
  };
}
