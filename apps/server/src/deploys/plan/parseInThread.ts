import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { AppError } from "../../platform/AppError.ts";
import { Semaphore } from "../../platform/Semaphore.ts";
import { type ParsedPlan, type PlanFault, parsePlan } from "./parsePlan.ts";

/** Parsing a plan of this size takes about a millisecond, which is less than passing it to a thread. */
const smallBytes = 2 ** 14;
const maxThreads = 2;
/** A thread does not give back the memory that a plan of this size needed. */
const largeBytes = 2 ** 20;
/** One idle thread stays, because starting one takes twenty times as long as a usual plan. Others end after this time. */
const idleTime = 30_000;

const threads = new Semaphore(maxThreads);
const idle: { worker: Worker; timer: NodeJS.Timeout | undefined }[] = [];
const large = new WeakSet<Worker>();

/** Parses a plan without blocking the event loop: one with 100,000 files takes more than a second. */
export async function parseInThread(body: Buffer): Promise<ParsedPlan> {
  if (body.length <= smallBytes) return parsePlan(body);
  const answer = await threads.run(() => ask(body));
  if ("error" in answer) throw new AppError(answer.error, answer.detail === undefined ? {} : { detail: answer.detail });
  return answer;
}

async function ask(body: Buffer): Promise<ParsedPlan | PlanFault> {
  const worker = takeWorker();
  if (body.length >= largeBytes) large.add(worker);
  worker.postMessage(new Uint8Array(body));
  try {
    // Rejects if the thread fails.
    const [answer] = await once(worker, "message");
    keep(worker);
    return answer;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function takeWorker(): Worker {
  const free = idle.pop();
  if (!free) return new Worker(new URL("./planThread.ts", import.meta.url));
  clearTimeout(free.timer);
  free.worker.ref();
  return free.worker;
}

function keep(worker: Worker) {
  worker.unref();
  const stays = !large.has(worker) && idle.every(({ timer }) => timer);
  idle.push({ worker, timer: stays ? undefined : setTimeout(() => end(worker), idleTime).unref() });
}

function end(worker: Worker) {
  idle.splice(
    idle.findIndex((entry) => entry.worker === worker),
    1,
  );
  void worker.terminate();
}
