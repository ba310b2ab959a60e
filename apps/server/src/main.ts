import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { startSandbox } from "@nido/sandbox";
import { buildApp } from "./app/buildApp.ts";
import { retireStandIns, seedDemoCustomer } from "./auth/demoCustomer.ts";
import { googleCallbackPath } from "./auth/Google.ts";
import { seedCatalogue } from "./billing/catalogue/seedCatalogue.ts";
import { billingJobs, billingSchedule } from "./billing/jobHandlers.ts";
import { webhookPath } from "./billing/sync/webhookRoute.ts";
import { type Config, ConfigError, parseConfig } from "./config.ts";
import { startEmbeddedPostgres } from "./db/embeddedPostgres.ts";
import { migrate } from "./db/migrate.ts";
import { releaseJobs, releaseSchedule } from "./deploys/jobHandlers.ts";
import { domainJobs, domainSchedule } from "./domains/checkDomains.ts";
import { enqueue } from "./jobs/enqueue.ts";
import { startJobs } from "./jobs/startJobs.ts";
import { startWebProcesses } from "./processes/startWebProcesses.ts";
import { startSweeping } from "./sweep.ts";
import { wordpressJobs, wordpressSchedule } from "./wordpress/jobHandlers.ts";
import { prepareDatabases } from "./wordpress/lifecycle/prepareDatabase.ts";

const shutdownLimit = 4500;

type Undo = () => Promise<unknown> | unknown;

/** Starts everything this process needs and serves until it is told to stop. */
export async function main() {
  const undos: Undo[] = [];
  const starting = start(
    (undo) => undos.unshift(undo),
    (reason) => void end(1, reason),
  );
  let ending: Promise<void> | undefined;

  /** Undoes what was started, in the opposite order, also where the start is not through yet. */
  function end(code: number, reason?: unknown): Promise<void> {
    ending ??= (async () => {
      setTimeout(() => process.exit(1), shutdownLimit).unref();
      await starting.catch(() => undefined);
      for (const undo of undos) await Promise.resolve(undo()).catch((error) => console.error(error));
      if (reason) console.error(reason instanceof ConfigError ? `Nido cannot start.\n${reason.message}` : reason);
      process.exit(code);
    })();
    return ending;
  }

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(0));
  await starting.catch((error) => end(1, error));
}

async function start(onStop: (undo: Undo) => void, onFailure: (reason: Error) => void) {
  const config = parseConfig(process.env);
  const needsSandbox = config.isLocal && (!config.GOOGLE_CLIENT_ID || !config.STRIPE_SECRET_KEY);
  await requireFreePort("PORT", config.PORT, config.HOST);
  if (needsSandbox) await requireFreePort("SANDBOX_PORT", config.SANDBOX_PORT, "127.0.0.1");

  let databaseUrl = config.DATABASE_URL;
  if (!databaseUrl) {
    const postgres = await startEmbeddedPostgres(config.DATA_DIR);
    postgres.onDeath(() => onFailure(new Error(`PostgreSQL ended: see ${config.DATA_DIR}/postgres.log`)));
    onStop(postgres.stop);
    databaseUrl = postgres.url;
  }
  await migrate(databaseUrl).catch((error) => {
    if (!config.DATABASE_URL) throw error;
    throw new ConfigError(`DATABASE_URL cannot be used: ${error.cause?.message ?? error.message}.`);
  });

  const sandbox = needsSandbox ? await startSandbox(sandboxOptions(config)) : undefined;
  if (sandbox) onStop(sandbox.stop);

  const google = ownGoogle(config) ?? sandbox?.google;
  const stripe = ownStripe(config) ?? (sandbox as NonNullable<typeof sandbox>).stripe;
  const { app, db, billing, wordpress, releases, domains } = await buildApp({ config, databaseUrl, google, stripe });
  onStop(() => app.close());
  if (stripe === sandbox?.stripe) await seedCatalogue(billing.stripe);
  const jobs = {
    ...billingJobs(billing),
    ...wordpressJobs(wordpress, config),
    ...releaseJobs(releases),
    ...domainJobs(domains),
  };
  const schedule = billingSchedule + wordpressSchedule + releaseSchedule + domainSchedule;
  onStop(await startJobs(databaseUrl, jobs, schedule, app.log));
  await enqueue(db, "reconcile", {});
  onStop(startSweeping(db, app.log));
  const demo = config.isLocal ? await seedDemoCustomer(db, config) : await retireStandIns(db, config);
  if (config.PROCESSES > 1) onStop(await startWebProcesses(config.PROCESSES, { databaseUrl, google, stripe }, app.log));
  else
    await app.listen({ host: config.HOST, port: config.PORT }).catch((error) => {
      throw portFault("PORT", config.PORT, config.HOST, error);
    });

  // So that the first buyer does not wait for it; after the first visitor, whom it would slow down.
  const fetching = setTimeout(() => {
    prepareDatabases(wordpress).catch((error) => app.log.error({ err: error }, "there is no WordPress to install yet"));
  }, 3000);
  onStop(() => clearTimeout(fetching));

  const lines = [
    `${config.BRAND_NAME} is running at ${config.APP_URL.origin}`,
    ...(demo
      ? [
          `Demo customer: ${config.DEMO_EMAIL}, password ${demo.isPasswordKnown ? config.DEMO_PASSWORD : "as you set it"}`,
        ]
      : []),
    ...(google && google === sandbox?.google
      ? ["Stand-in: Google sign-in (set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET for the real one)"]
      : []),
    ...(stripe === sandbox?.stripe
      ? [
          `Stand-in: Stripe, at ${sandbox.origin}/stripe (set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET for the real one)`,
        ]
      : []),
    config.DATABASE_URL ? "Database: DATABASE_URL" : `Data: ${config.DATA_DIR} (PostgreSQL embedded)`,
    "Ctrl-C stops it.",
  ];
  console.log(`\n${lines.map((line) => `  ${line}`).join("\n")}\n`);
}

function ownGoogle({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret }: Config) {
  if (!clientId || !clientSecret) return undefined;
  return { issuer: new URL("https://accounts.google.com"), clientId, clientSecret, allowInsecure: false };
}

function ownStripe(config: Config) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = config;
  return secretKey && webhookSecret ? { secretKey, webhookSecret, apiUrl } : undefined;
}

function sandboxOptions({ SANDBOX_PORT: port, APP_URL, HOST, PORT, DATA_DIR }: Config) {
  const isEverywhere = HOST === "0.0.0.0" || HOST === "::";
  return {
    port,
    redirectUri: new URL(googleCallbackPath, APP_URL),
    // By address: names below .localhost are known to browsers, not to every resolver.
    webhookUrl: new URL(webhookPath, `http://${isEverywhere ? "127.0.0.1" : HOST}:${PORT}`),
    folder: join(DATA_DIR, "sandbox"),
  };
}

/** Asked before anything is started. */
async function requireFreePort(setting: string, port: number, host: string) {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw portFault(setting, port, host, error);
  }
  server.close();
  await once(server, "close");
}

function portFault(setting: string, port: number, host: string, error: unknown) {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "EADDRINUSE" ? "is already in use" : `cannot be opened on HOST=${host} (${code})`;
  return new ConfigError(`${setting}=${port} ${reason}: stop what uses it, or set another ${setting}.`);
}
