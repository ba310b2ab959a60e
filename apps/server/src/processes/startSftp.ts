import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/parseConfig.ts";

/** What the process needs, and no secret besides the database. */
export interface SftpOptions {
  databaseUrl: string;
  port: number;
  host: string;
  dataDir: string;
  /** of the site manager; undefined: the sites are on the embedded runtime */
  runFolder: string | undefined;
  /** the load balancers that send the PROXY protocol's header; undefined: none does */
  proxies: string[] | undefined;
  logLevel: string;
}

const restartMs = 2000;
const startMs = 300_000;
const silenceMs = 30_000;

/**
 * Serves files by SFTP from a process of its own. One that ends, cannot start or says nothing for half a minute is
 * replaced; the rest of the product goes on. Returns the function that stops it.
 */
export function startSftp(config: Config, databaseUrl: string, log: FastifyBaseLogger) {
  const stopping = new AbortController();
  const options: SftpOptions = {
    databaseUrl,
    port: config.SFTP_PORT as number,
    host: config.HOST,
    dataDir: config.DATA_DIR,
    runFolder: config.WORDPRESS_RUNTIME.includes("native") ? config.RUN_DIR : undefined,
    proxies: config.PROXY_PROTOCOL ? (config.TRUSTED_PROXIES ?? []) : undefined,
    logLevel: config.LOG_LEVEL,
  };

  async function keepRunning() {
    while (!stopping.signal.aborted) {
      const reason = await runOnce(options, stopping.signal).catch((error: Error) => error.message);
      if (stopping.signal.aborted) return;
      log.error({ reason }, "the SFTP process ended unexpectedly; starting another");
      await pause(restartMs, undefined, stopping).catch(() => undefined);
    }
  }
  const ended = keepRunning();
  return async () => {
    stopping.abort();
    await ended;
  };
}

/** Resolves to why it ended. */
async function runOnce(options: SftpOptions, signal: AbortSignal): Promise<string> {
  const env = { PATH: process.env["PATH"] };
  const child: ChildProcess = fork(join(import.meta.dirname, "sftpProcess.ts"), [String(options.port)], { env });
  const kill = () => child.kill("SIGKILL");
  let watch = setTimeout(kill, startMs);
  child.on("message", () => {
    clearTimeout(watch);
    watch = setTimeout(kill, silenceMs);
  });
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop);
  try {
    const exit = once(child, "exit");
    child.send(options, () => undefined);
    const [code, killedBy] = await exit;
    return killedBy ?? `exit code ${code}`;
  } finally {
    clearTimeout(watch);
    signal.removeEventListener("abort", stop);
  }
}
