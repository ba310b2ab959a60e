import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { defaultAttempts, type Job, jobKey } from "./defineJob.ts";

const serialQueues = 16; // a power of two

/**
 * Adds a job as part of the transaction. A waiting job with the same key is replaced; a running one is followed by
 * this one. Jobs with the same `orderBy` run one after the other, in a queue chosen by its hash.
 */
export async function enqueue<Payload>(tx: Tx | Db, job: Job<Payload>, payload: Payload, orderBy?: string) {
  const key = jobKey(job, job.key && String(payload[job.key]));
  await tx.execute(sql`select graphile_worker.add_job(${job.name}, ${JSON.stringify(payload)}::json,
    queue_name := ${orderBy === undefined ? ownQueue(job, payload) : serialQueue(orderBy)},
    job_key := ${key}::text, max_attempts := ${job.attempts ?? defaultAttempts}::int,
    priority := ${job.priority ?? 0}::int)`);
}

/** Removes a waiting job. A running one finishes, but is not retried. */
export async function dequeue<Payload>(tx: Tx, job: Job<Payload>, id: string) {
  await tx.execute(sql`select graphile_worker.remove_job(${jobKey(job, id)})`);
}

/** Whether a job still waits or runs, and its last error; undefined once it is done. */
export async function findJob(db: Db | Tx, job: { name: string }, id?: string) {
  const { rows } = await db.execute<{ is_over: boolean; error: string | null }>(
    sql`select attempts >= max_attempts and locked_at is null as is_over, last_error as error
      from graphile_worker._private_jobs where key = ${jobKey(job, id)}`,
  );
  return rows[0];
}

/**
 * Deletes jobs without attempts left: those that failed for good, and those that a newer job with the same key replaced
 * while they ran, if their worker died.
 */
export async function deleteExhaustedJobs(db: Db) {
  await db.execute(sql`delete from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null`);
}

function ownQueue<Payload>({ queue }: Job<Payload>, payload: Payload): SQL {
  return typeof queue === "function" ? queue(payload) : sql`${queue ?? null}::text`;
}

function serialQueue(orderBy: string): SQL {
  return sql`'serial-' || (hashtext(${orderBy}) & ${serialQueues - 1})`;
}
