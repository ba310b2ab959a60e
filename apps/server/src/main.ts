import { once } from "node:events";
import { createServer } from "node:net";
import { startSandbox } from "@nido/sandbox";
import { buildApp } from "./app.ts";
import { googleCallbackPath } from "./auth/Google.ts";
import { seedDemoCustomer } from "./auth/seedDemoCustomer.ts";
import { type Config, ConfigError, parseConfig } from "./config.ts";
import { startEmbeddedPostgres } from "./db/embeddedPostgres.ts";
import { migrate } from "./db/migrate.ts";
import { startSweeping } from "./db/sweep.ts";

const shutdownLimit = 4500;

/** Starts everything this process needs and serves until it is told to stop. */
export async function main() {
  const stops: (() => Promise<unknown> | unknown)[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopAll(stops);
    return stopping;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void stop().then(() => process.exit(0)));

  try {
    await start(parseConfig(process.env), (undo) => stops.unshift(undo));
  } catch (error) {
    if (stopping) return;
    await stop();
    console.error(error instanceof ConfigError ? `Nido cannot start.\n${error.message}` : error);
    process.exit(1);
  }
}

async function start(config: Config, onStop: (undo: () => Promise<unknown> | unknown) => void) {
  await requireFreePort("PORT", config.PORT, config.HOST);
  if (config.isLocal) await requireFreePort("SANDBOX_PORT", config.SANDBOX_PORT, "127.0.0.1");

  let databaseUrl = config.DATABASE_URL;
  if (!databaseUrl) {
    const postgres = await startEmbeddedPostgres(config.DATA_DIR);
    onStop(postgres.stop);
    databaseUrl = postgres.url;
  }
  await migrate(databaseUrl).catch((error) => {
    if (!config.DATABASE_URL) throw error;
    throw new ConfigError(`DATABASE_URL cannot be used: ${error.cause?.message ?? error.message}.`);
  });

  const sandbox =
    config.isLocal && !config.GOOGLE_CLIENT_ID
      ? await startSandbox(config.SANDBOX_PORT, new URL(googleCallbackPath, config.APP_URL))
      : undefined;
  if (sandbox) onStop(sandbox.stop);

  const { app, db } = await buildApp({ config, databaseUrl, google: sandbox?.google ?? ownGoogle(config) });
  onStop(() => app.close());
  onStop(startSweeping(db, app.log));
  const demo = config.isLocal ? await seedDemoCustomer(db, config) : undefined;
  await app.listen({ host: config.HOST, port: config.PORT });

  const lines = [
    `${config.BRAND_NAME} is running at ${config.APP_URL.origin}`,
    ...(demo
      ? [
          `Demo customer: ${config.DEMO_EMAIL}, password ${demo.isPasswordKnown ? config.DEMO_PASSWORD : "as you set it"}`,
        ]
      : []),
    ...(sandbox ? ["Stand-ins: Google sign-in (set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET for the real one)"] : []),
    config.DATABASE_URL ? "Database: DATABASE_URL" : `Data: ${config.DATA_DIR} (PostgreSQL embedded)`,
    "Ctrl-C stops it.",
  ];
  console.log(`\n${lines.map((line) => `  ${line}`).join("\n")}\n`);
}

function ownGoogle({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret }: Config) {
  if (!clientId || !clientSecret) return undefined;
  return { issuer: new URL("https://accounts.google.com"), clientId, clientSecret, allowInsecure: false };
}

/** Asked before anything is started; whoever takes the port in between is found out by `listen`. */
async function requireFreePort(setting: string, port: number, host: string) {
  const server = createServer().listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "is already in use" : `cannot be opened on HOST=${host} (${code})`;
    throw new ConfigError(`${setting}=${port} ${reason}: stop what uses it, or set another ${setting}.`);
  }
  server.close();
  await once(server, "close");
}

/** In the opposite order of starting, and never longer than a person waits. */
async function stopAll(stops: (() => Promise<unknown> | unknown)[]) {
  const limit = setTimeout(() => process.exit(1), shutdownLimit);
  for (const undo of stops) await undo();
  clearTimeout(limit);
}
