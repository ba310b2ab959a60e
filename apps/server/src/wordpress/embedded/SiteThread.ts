import { Worker } from "node:worker_threads";
import type { BootOptions } from "./boot.ts";
import type { PhpJob, PhpNews } from "./messages.ts";

interface Listener {
  onHead: (status: number, headers: Record<string, string[]>) => void;
  onChunk: (chunk: Uint8Array) => void;
}

/** What differs between sites. */
export type SiteBoot = Omit<BootOptions, "processId">;

type Fault = "busy" | "slow" | "broken";

/** Why a site gave no answer. */
export class PhpFault extends Error {
  override name = "PhpFault";
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(`PHP is ${fault}`, options);
    this.fault = fault;
  }
}

const mostWaiting = 256;
let processIds = 1;

/** One site's PHP: it takes requests one after the other, each within its time, and starts anew where one broke it. */
export class SiteThread {
  lastUsed = Date.now();
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();
  private worker: Worker | undefined;
  /** what the running thread was started with */
  private options = "";

  get isIdle() {
    return this.waiting === 0;
  }

  /** Resolves with what PHP had to complain about. */
  run(boot: SiteBoot, job: PhpJob, timeLimit: number, listener: Listener): Promise<string> {
    if (this.waiting >= mostWaiting) return Promise.reject(new PhpFault("busy"));
    this.waiting++;
    this.lastUsed = Date.now();
    const result = this.last.then(() => this.perform(boot, job, timeLimit, listener));
    this.last = result
      .catch(() => undefined)
      .then(() => {
        this.waiting--;
        this.lastUsed = Date.now();
      });
    return result;
  }

  /** Gives back its memory after what it is doing now; the next request starts it again. Never two at a time: they would spoil the database. */
  rest(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    this.waiting++;
    const rested = this.last
      .then(() => this.end())
      .then(meanwhile)
      .finally(() => this.waiting--);
    this.last = rested.catch(() => undefined);
    return rested;
  }

  private async end() {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private async perform(boot: SiteBoot, job: PhpJob, timeLimit: number, listener: Listener): Promise<string> {
    const worker = await this.started(boot);
    const answered = Promise.withResolvers<{ errors: string; isWorn: boolean }>();
    const onNews = (news: PhpNews) => {
      try {
        if (news.kind === "head") listener.onHead(news.status, news.headers);
        if (news.kind === "chunk") listener.onChunk(news.chunk);
        if (news.kind === "end") answered.resolve(news);
      } catch (error) {
        answered.reject(new PhpFault("broken", { cause: error }));
      }
    };
    const onError = (error: Error) => answered.reject(new PhpFault("broken", { cause: error }));
    const onExit = () => answered.reject(new PhpFault("broken"));
    const timer = setTimeout(() => answered.reject(new PhpFault("slow")), timeLimit);
    worker.on("message", onNews).on("error", onError).on("exit", onExit);
    try {
      worker.postMessage(job, job.body ? [job.body.buffer as ArrayBuffer] : []);
      const { errors, isWorn } = await answered.promise;
      if (isWorn) await this.end();
      return errors;
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off("message", onNews).off("error", onError).off("exit", onExit);
    }
  }

  /** The running thread, or a new one: another plan or another WordPress needs another. */
  private async started(boot: SiteBoot): Promise<Worker> {
    const options = JSON.stringify(boot);
    if (this.worker && this.options === options) return this.worker;
    await this.end();
    const worker = await start(boot);
    worker.once("exit", () => {
      if (this.worker === worker) this.worker = undefined;
    });
    this.worker = worker;
    this.options = options;
    return worker;
  }
}

async function start(boot: SiteBoot): Promise<Worker> {
  const worker = new Worker(new URL("./thread.ts", import.meta.url), {
    workerData: { ...boot, processId: processIds++ },
    // Nothing of ours: PHP could print it.
    env: {},
    argv: [],
    stdout: true,
    stderr: true,
  });
  worker.on("error", () => undefined);
  worker.stdout.resume();
  worker.stderr.resume();
  const ready = Promise.withResolvers<void>();
  worker.once("message", () => ready.resolve());
  worker.once("error", (error) => ready.reject(new PhpFault("broken", { cause: error })));
  worker.once("exit", () => ready.reject(new PhpFault("broken")));
  await ready.promise;
  return worker;
}
