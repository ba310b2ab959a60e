import { Worker } from "node:worker_threads";
import type { BootOptions } from "./boot.ts";
import type { PhpJob, PhpMessage } from "./messages.ts";

interface Listener {
  onHead: (status: number, headers: Record<string, string[]>) => void;
  onChunk: (chunk: Uint8Array) => void;
  /** ends PHP */
  signal: AbortSignal;
}

/** The boot options that differ between sites. */
export type SiteBoot = Omit<BootOptions, "processId">;

type Fault = "busy" | "slow" | "broken";

/** Why PHP did not answer. */
export class PhpFault extends Error {
  override name = "PhpFault";
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(`PHP is ${fault}`, options);
    this.fault = fault;
  }
}

const maxWaiting = 256;
let processIds = 1;

/** The PHP of one site. It handles one request at a time, each with a time limit, and restarts after a crash. */
export class SiteThread {
  lastUsed = Date.now();
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();
  private worker: Worker | undefined;
  /** the boot options of the running thread, as JSON */
  private options = "";

  get isIdle() {
    return this.waiting === 0;
  }

  /** Resolves with PHP's error output. */
  run(boot: SiteBoot, job: PhpJob, timeLimit: number, listener: Listener): Promise<string> {
    if (this.waiting >= maxWaiting) return Promise.reject(new PhpFault("busy"));
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

  /** Stops the thread after its current request; the next one starts it again. Two threads at once would corrupt the database. */
  stop(whileStopped: () => Promise<void> = async () => undefined): Promise<void> {
    this.waiting++;
    const stopped = this.last
      .then(() => this.end())
      .then(whileStopped)
      .finally(() => this.waiting--);
    this.last = stopped.catch(() => undefined);
    return stopped;
  }

  private async end() {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private async perform(boot: SiteBoot, job: PhpJob, timeLimit: number, listener: Listener): Promise<string> {
    const worker = await this.started(boot);
    if (listener.signal.aborted) throw new PhpFault("broken");
    const answered = Promise.withResolvers<{ errors: string; needsRestart: boolean }>();
    const onMessage = (message: PhpMessage) => {
      try {
        if (message.kind === "head") listener.onHead(message.status, message.headers);
        if (message.kind === "chunk") listener.onChunk(message.chunk);
        if (message.kind === "end") answered.resolve(message);
      } catch (error) {
        answered.reject(new PhpFault("broken", { cause: error }));
      }
    };
    const onError = (error: Error) => answered.reject(new PhpFault("broken", { cause: error }));
    const onExit = () => answered.reject(new PhpFault("broken"));
    const timer = setTimeout(() => answered.reject(new PhpFault("slow")), timeLimit);
    listener.signal.addEventListener("abort", onExit);
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    try {
      worker.postMessage(job, job.body ? [job.body.buffer as ArrayBuffer] : []);
      const { errors, needsRestart } = await answered.promise;
      if (needsRestart) await this.end();
      return errors;
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      clearTimeout(timer);
      listener.signal.removeEventListener("abort", onExit);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    }
  }

  /** The running thread, or a new one if the plan or the WordPress version has changed. */
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
    // An empty environment: PHP could print it.
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
