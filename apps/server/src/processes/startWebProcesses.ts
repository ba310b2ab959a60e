import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { AppOptions } from "../app/buildApp.ts";

type Shared = Omit<AppOptions, "config">;

const variable = "NIDO_WEB";
const restartPause = 1000;

/** Serves from several processes, so that all cores are used. One that ends is followed by another. Returns what stops them. */
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
      log.error("a web process ended, and is started again");
      void follow();
    });
    const [message] = await Promise.race([once(worker, "message"), once(worker, "exit")]);
    if (message !== "listening") throw new Error("a web process did not start");
  }

  async function follow() {
    await pause(restartPause);
    if (!isStopping) await launch().catch(() => undefined); // its own end starts the next
  }

  const stop = async () => {
    isStopping = true;
    await Promise.all(
      [...workers].map(async (worker) => {
        const ended = once(worker, "exit");
        worker.process.kill("SIGTERM");
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

/** What the process that started this one gave it. */
export function readShared(): Shared {
  const { databaseUrl, google, stripe } = JSON.parse(process.env[variable] ?? "{}");
  delete process.env[variable];
  return {
    databaseUrl,
    google: google && { ...google, issuer: new URL(google.issuer) },
    stripe: { ...stripe, apiUrl: stripe.apiUrl && new URL(stripe.apiUrl) },
  };
}
