import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { Logger, parseCrontab, run, type TaskList, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import { type JobHandler, type JobPool, jobPools } from "./defineJob.ts";
import { unlockDeadWorkers } from "./unlockDeadWorkers.ts";

const shutdownTimeout = 1500;
const restartDelay = 1000;

/** Runs jobs until the returned function is called. */
export async function startJobs(databaseUrl: string, handlers: JobHandler[], log: FastifyBaseLogger) {
  const stops: (() => Promise<void>)[] = [];
  for (const name of Object.keys(jobPools) as JobPool[]) {
    const own = handlers.filter(({ job }) => (job.pool ?? "platform") === name);
    if (own.length > 0) stops.push(await startPool(databaseUrl, own, jobPools[name], log));
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function startPool(databaseUrl: string, handlers: JobHandler[], concurrency: number, log: FastifyBaseLogger) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: concurrency + 3, connectionTimeoutMillis: 5000 });
  const onError = (error: Error) => log.warn({ err: error }, "lost a database connection of the job worker");
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
      taskList: taskListOf(handlers),
      parsedCronItems: parseCrontab(crontabOf(handlers)),
      events,
      concurrency,
      noHandleSignals: true,
      logger: new Logger(() => (level, message, meta) => {
        // The worker's own message repeats the error with its parameters, which may be secrets.
        if (level === "error") log.error({ err: meta?.["error"] ?? new Error(message.split("\n")[0]) }, "job failed");
        else log.debug(message);
      }),
      // No batching: a batch of completions that still waits is lost when the worker stops.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, pollInterval: 1000 } },
    });
    return { runner, unlocker: unlockDeadWorkers(databaseUrl, await poolId, log) };
  }

  /** graphile-worker stops when it cannot record a completion because the database is unavailable. This restarts it. */
  async function keepRunning() {
    while (!isStopping) {
      await worker.runner.promise.catch(() => undefined);
      // Closes the connection with the worker's id, so that its locks are released.
      await worker.unlocker.stop();
      while (!isStopping) {
        log.error("the job worker stopped unexpectedly; restarting it");
        await pause(restartDelay);
        const next = await launch().catch(
          (error) => void log.warn({ err: error }, "the job worker could not be restarted"),
        );
        if (!next) continue;
        worker = next;
        break;
      }
    }
  }

  return async () => {
    isStopping = true;
    // The next worker repeats a job that does not finish in time.
    const limit = pause(shutdownTimeout, undefined, { ref: false });
    await Promise.race([worker.runner.stop().catch(() => undefined), limit]);
    await worker.unlocker.stop();
    await Promise.race([pool.end().catch(() => undefined), limit]);
  };
}

/** The handlers as graphile-worker takes them. */
export function taskListOf(handlers: JobHandler[]): TaskList {
  return Object.fromEntries(
    handlers.map(({ job, run }) => [job.name, (payload, helpers) => run(payload, helpers.job.attempts)]),
  );
}

/** One line of crontab for each job that has a schedule. */
function crontabOf(handlers: JobHandler[]): string {
  const lines = handlers.map(({ job: { name, queue, cron } }) => {
    const options = typeof queue === "string" ? `&queue=${queue}` : "";
    return cron && `${cron.schedule} ${name} ?jobKey=${name}${options}&max=${cron.attempts}`;
  });
  return lines.filter(Boolean).join("\n");
}
