import type { Language } from "@nido/contract";
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";

/** Every job there is, and what it is given. Each may run twice, and says by its key what makes it the same. */
export interface Jobs {
  /** a checkout was paid, or expired */
  syncCheckout: { sessionId: string };
  /** a subscription began, was renewed, is owed, or ended */
  syncSubscription: { subId: string };
  /** an invoice was paid, or was not */
  syncInvoice: { invoiceId: string };
  /** a payment was given back */
  syncRefund: { paymentIntent: string };
  /** the customer deleted the project that a subscription paid for */
  cancelAtProvider: { subId: string };
  /** what the provider knows of a customer is out of date */
  syncCustomer: { userId: string };
  /** reads what the provider told and we did not hear */
  reconcile: Record<never, never>;
  /** takes down the sites whose payment has been owed for too long */
  suspendOverdue: Record<never, never>;
  /** makes a paid WordPress, and tells the task how far it is */
  provisionWordPress: { projectId: string; taskId: string; username: string; lang?: Language };
  /** takes down a WordPress whose project is gone, and keeps an archive of it */
  archiveSite: { projectId: string };
  /** removes what has been archived for long enough, and frees the names */
  removeArchives: Record<never, never>;
  /** copies a site's files and database together */
  backUpSite: { projectId: string };
  /** the same for every site */
  backUpSites: Record<never, never>;
  /** brings a site, archived or not, back to what a backup holds */
  restoreSite: { projectId: string; backup: string };
  /** lets a WordPress speak of the address that it has now */
  moveSite: { projectId: string };
  /** looks for a newer WordPress, and moves the sites to it */
  updateCore: Record<never, never>;
  /** moves one site to the current WordPress, or leaves it as it was */
  updateSite: { projectId: string };
  /** lets the sites do what their timetables say */
  runTimetables: Record<never, never>;
  /** sends the mail that sites have left to be sent */
  sendMail: Record<never, never>;
  /** makes the compressed forms of what a static site shows */
  compressDeploy: { deployId: string; userId: string };
  /** removes old deploys, and the bytes that nothing has any more */
  collectReleases: Record<never, never>;
  /** looks whether DNS says of customers' names what it should */
  checkDomains: Record<never, never>;
  /** looks how much of their disk the sites have used */
  measureSites: Record<never, never>;
}
export type JobName = keyof Jobs;

const queues = 16; // a power of two
// With the worker's growing pauses, at most six hours each, that is most of a year.
const mostAttempts = 1000;
/** One at a time, whatever it is about: nightly work leaves room for what somebody waits for. */
const ownQueues: Partial<Record<JobName, string>> = {
  backUpSite: "upkeep",
  updateSite: "upkeep",
  compressDeploy: "compression",
  checkDomains: "domains",
};
/** What must not come true long after somebody wanted it. */
const attempts: Partial<Record<JobName, number>> = { restoreSite: 3, updateSite: 3, updateCore: 3 };

/**
 * Adds a job to the transaction's effects. Where one with the same key waits already, it is replaced; one
 * that runs is followed by this one. Jobs with the same `orderBy` run one after the other.
 */
export async function enqueue<Name extends JobName>(tx: Tx | Db, name: Name, payload: Jobs[Name], orderBy?: string) {
  const key = keyOf(name, Object.values(payload)[0]);
  const queue =
    orderBy === undefined
      ? sql`${name === "moveSite" ? key : (ownQueues[name] ?? null)}::text`
      : sql`'serial-' || (hashtext(${orderBy}) & ${queues - 1})`;
  await tx.execute(sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
    queue_name := ${queue}, job_key := ${key}::text, max_attempts := ${attempts[name] ?? mostAttempts}::int)`);
}

/** Takes away a job that waits; one that runs is not repeated. */
export async function dequeue(tx: Tx, name: JobName, id: string) {
  await tx.execute(sql`select graphile_worker.remove_job(${keyOf(name, id)})`);
}

/** Whether a job still waits or runs, and what last went wrong; undefined once it is done. */
export async function findJob(db: Db, name: JobName, id?: string) {
  const { rows } = await db.execute<{ is_over: boolean; error: string | null }>(
    sql`select attempts >= max_attempts and locked_at is null as is_over, last_error as error
      from graphile_worker._private_jobs where key = ${keyOf(name, id)}`,
  );
  return rows[0];
}

function keyOf(name: JobName, id: string | undefined): string {
  return id === undefined ? name : `${name}:${id}`;
}
