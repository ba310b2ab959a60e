import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { AppOptions } from "../app/createServices.ts";
import type { StopManner } from "./StopManner.ts";

type Shared = Omit<AppOptions, "config">;

const variable = "NIDO_WEB";
const restartDelay = 1000;

/** Serves from several processes, to use all cores. A process that ends is replaced. Returns the function that stops them. */
export async function startWebProcesses(count: number, shared: Shared, log: FastifyBaseLogger) {
  cluster.setupPrimary({ exec: join(import.meta.dirname, "webProcess.ts"), args: [] });
  const workers = new Set<Worker>();
  let isStopping = false;

  async function launch() {
    const worker = cluster.fork({ [variable]: JSON.stringify(shared) });
    workers.add(worker);
    worker.once("exit", () => {
      workers.delete(worker);
      if (isStopping) return;
      log.error({ pid: worker.process.pid }, "a web process ended unexpectedly; starting another");
      void replace();
    });
    const [message] = await Promise.race([once(worker, "message"), once(worker, "exit")]);
    if (message !== "listening") throw new Error(`web process ${worker.process.pid} ended before it listened`);
  }

  async function replace() {
    await pause(restartDelay);
    if (!isStopping) await launch().catch(() => undefined); // its exit event starts the next
  }

  const stop = async (manner: StopManner = "soon") => {
    isStopping = true;
    await Promise.all(
      [...workers].map(async (worker) => {
        const ended = once(worker, "exit");
        worker.process.kill(manner === "drain" ? "SIGUSR2" : "SIGTERM");
        await ended;
      }),
    );
  };
  try {
    await Promise.all(Array.from({ length: count }, launch));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** The options that the parent process passed in the environment. */
export function readShared(): Shared {
  const { databaseUrl, google, stripe, smtpUrl } = JSON.parse(process.env[variable] ?? "{}");
  delete process.env[variable];
  return {
    databaseUrl,
    google: google && { ...google, issuer: new URL(google.issuer) },
    smtpUrl,
    stripe: { ...stripe, apiUrl: stripe.apiUrl && new URL(stripe.apiUrl) },
  };
}
