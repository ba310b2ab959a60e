import type { SQL } from "drizzle-orm";
import type { z } from "zod";

/**
 * The pools of workers, with the number of jobs that each runs at a time. A job waits only for jobs of its own pool, so
 * work that runs a customer's PHP never delays payments and domain checks.
 */
export const jobPools = {
  /** short work of the platform: payments, domains */
  platform: 5,
  /** compression of deploys, which keeps a core busy */
  deploys: 2,
  /** work on a customer's site that the customer waits for */
  sites: 6,
  /** nightly work on customers' sites */
  upkeep: 3,
  /** backups and restores that customers ask for, which may take long: new sites do not wait for them */
  backups: 3,
  /** orders of certificates, which mostly wait for the authority */
  certificates: 16,
  /** the platform's messages to customers: a slow mail server delays nothing else */
  mail: 4,
  /** archives of customers' data, which may be large */
  exports: 2,
  /** what is due every minute on customers' sites: WP-Cron and mail */
  schedule: 2,
} as const;
export type JobPool = keyof typeof jobPools;

/** A kind of job. Each feature declares its own in its `jobs.ts`. A job may run twice, so its handler is idempotent. */
export interface Job<Payload> {
  name: string;
  payload: z.ZodType<Payload>;
  /** The field that tells two jobs of this name apart; without one, at most one such job waits. */
  key?: keyof Payload & string;
  /** Default: `platform`. */
  pool?: JobPool;
  /** Jobs of one queue run one after the other. A function returns SQL that computes the queue's name. */
  queue?: string | ((payload: Payload) => SQL);
  /** Among the waiting jobs of a pool, those with a lower number run first. Default: 0. */
  priority?: number;
  /** Default: `defaultAttempts`. */
  attempts?: number;
  /** Also runs on a schedule. These runs have fewer attempts, because the next run follows anyway. */
  cron?: { schedule: string; attempts: number };
}

export interface JobHandler {
  job: Pick<Job<never>, "name" | "pool" | "queue" | "cron">;
  /** `attempt` counts from 1. */
  run(payload: unknown, attempt: number): Promise<void>;
}

// The delay between attempts grows to six hours at most, so a job is retried for most of a year.
export const defaultAttempts = 1000;

export function defineJob<Payload>(job: Job<Payload>): Job<Payload> {
  return job;
}

/** Binds a job to the code that runs it. The payload is validated before each run. */
export function handleJob<Payload>(
  job: Job<Payload>,
  run: (payload: Payload, attempt: number) => Promise<unknown> | undefined,
): JobHandler {
  return {
    job,
    run: async (payload, attempt) => {
      await run(job.payload.parse(payload), attempt);
    },
  };
}

/** The idempotency key in the queue: a waiting job with the same one is replaced. */
export function jobKey({ name }: { name: string }, id?: string): string {
  return id === undefined ? name : `${name}:${id}`;
}
