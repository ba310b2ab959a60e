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
}
export type JobName = keyof Jobs;

const queues = 16; // a power of two
// With the worker's growing pauses, at most six hours each, that is most of a year.
const maxAttempts = 1000;

/**
 * Adds a job to the transaction's effects. Where one with the same key waits already, it is replaced; one
 * that runs is followed by this one. Jobs with the same `orderBy` run one after the other.
 */
export async function enqueue<Name extends JobName>(tx: Tx | Db, name: Name, payload: Jobs[Name], orderBy?: string) {
  const key = keyOf(name, Object.values(payload)[0]);
  const queue = orderBy === undefined ? sql`null` : sql`'serial-' || (hashtext(${orderBy}) & ${queues - 1})`;
  await tx.execute(sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
    queue_name := ${queue}, job_key := ${key}::text, max_attempts := ${maxAttempts}::int)`);
}

/** Takes away a job that waits; one that runs is not repeated. */
export async function dequeue(tx: Tx, name: JobName, id: string) {
  await tx.execute(sql`select graphile_worker.remove_job(${keyOf(name, id)})`);
}

function keyOf(name: JobName, id: string | undefined): string {
  return id === undefined ? name : `${name}:${id}`;
}
