import { startSandbox } from "@nido/sandbox";
import { buildApp } from "../app/buildApp.ts";
import { lifetimesOf } from "../app/createServices.ts";
import { retireStandIns, seedDemoCustomer } from "../auth/demoCustomer.ts";
import { seedCatalogue } from "../billing/catalogue/seedCatalogue.ts";
import { isSelfSigned, platformNames } from "../certificates/createCertificates.ts";
import { createSelfSigned, selfSignedFiles } from "../certificates/selfSigned.ts";
import { ConfigError } from "../config/ConfigError.ts";
import { type Config, httpPortSetting, parseConfig } from "../config/parseConfig.ts";
import { productionWarnings } from "../config/productionWarnings.ts";
import { roles } from "../config/settings.ts";
import { startEmbeddedPostgres } from "../db/embeddedPostgres.ts";
import { migrate } from "../db/migrate.ts";
import { requireFreePort } from "../platform/requireFreePort.ts";
import { prepareDatabases } from "../wordpress/prepareDatabase.ts";
import { configuredGoogle, configuredStripe, sandboxOptions } from "./providers.ts";
import type { StopManner } from "./StopManner.ts";
import { startSftp } from "./startSftp.ts";
import { startWebProcesses } from "./startWebProcesses.ts";
import { startWorker } from "./startWorker.ts";
import { startSweeping } from "./sweep.ts";

/** Set by the launcher if this product replaces a running one, whose ports it then shares. */
const replacesVariable = "NIDO_REPLACES";

export interface Lifetime {
  /** Registers how to undo a step. The steps are undone in reverse order. */
  onStop(undo: (manner: StopManner) => Promise<unknown> | unknown): void;
  /** To be called when a part that the product depends on has ended. */
  onFailure(reason: Error): void;
}

/** Starts all parts in the order of their dependencies, and prints the product's address. */
export async function startProduct({ onStop, onFailure }: Lifetime) {
  const config = parseConfig(process.env);
  const hasAllRoles = config.ROLES.size === roles.length;
  const isComplete = config.GOOGLE_CLIENT_ID && config.STRIPE_SECRET_KEY && config.SMTP_URL;
  // A process without this role only shows the port to customers.
  const servesFiles = config.SFTP_PORT !== undefined && config.ROLES.has("edge");
  const needsSandbox = config.isLocal && hasAllRoles && !isComplete;
  if (!process.env[replacesVariable]) {
    await requireFreePort(httpPortSetting(config), config.HTTP_PORT, config.HOST);
    if (config.HTTPS_PORT) await requireFreePort("HTTPS_PORT", config.HTTPS_PORT, config.HOST);
    if (servesFiles) await requireFreePort("SFTP_PORT", config.SFTP_PORT as number, config.HOST);
    if (config.HEALTH_PORT) await requireFreePort("HEALTH_PORT", config.HEALTH_PORT, config.HOST);
  }
  if (needsSandbox) await requireFreePort("SANDBOX_PORT", config.SANDBOX_PORT, "127.0.0.1");

  const databaseUrl = config.DATABASE_URL ?? (await startDatabase(config, { onStop, onFailure }));
  await migrate(databaseUrl).catch((error) => {
    if (!config.DATABASE_URL) throw error;
    throw new ConfigError(`DATABASE_URL cannot be used: ${error.cause?.message ?? error.message}.`);
  });
  const sandbox = needsSandbox ? await startSandbox(sandboxOptions(config)) : undefined;
  if (sandbox) onStop(sandbox.stop);

  const google = configuredGoogle(config) ?? sandbox?.google;
  const stripe = configuredStripe(config) ?? (sandbox as NonNullable<typeof sandbox>).stripe;
  const smtpUrl = config.SMTP_URL ?? sandbox?.smtpUrl;
  if (config.HTTPS_PORT && isSelfSigned(config))
    await createSelfSigned(selfSignedFiles(config.DATA_DIR), platformNames(config));
  const { app, listen, drain, ...services } = await buildApp({ config, databaseUrl, google, stripe, smtpUrl });
  const { db, billing, wordpress } = services;
  onStop((manner) => (manner === "drain" && config.PROCESSES === 1 ? drain() : app.close()));
  if (stripe === sandbox?.stripe) await seedCatalogue(billing.stripe);
  const isWorker = config.ROLES.has("worker");
  if (isWorker) {
    onStop(await startWorker(databaseUrl, config, services, app.log));
    onStop(startSweeping(db, lifetimesOf(config), app.log));
  }
  const demo = config.isLocal ? await seedDemoCustomer(db, config) : await retireStandIns(db, config);

  if (config.PROCESSES > 1)
    onStop(await startWebProcesses(config.PROCESSES, { databaseUrl, google, stripe, smtpUrl }, app.log));
  else await listen();
  if (servesFiles) onStop(startSftp(config, databaseUrl, app.log));

  if (isWorker) {
    // Started here, so that the first buyer does not wait for it. Delayed, so as not to slow down the first visitor.
    const preparing = setTimeout(() => {
      prepareDatabases(wordpress, wordpress.runtime).catch((error) =>
        app.log.error({ err: error }, "could not prepare WordPress"),
      );
    }, 3000);
    onStop(() => clearTimeout(preparing));
  }

  const standIns = {
    google: google !== undefined && google === sandbox?.google,
    stripe: stripe === sandbox?.stripe && sandbox.origin,
    mail: smtpUrl !== undefined && smtpUrl === sandbox?.smtpUrl && sandbox.origin,
  };
  console.log(`\n${describeStart(config, demo, standIns).join("\n")}\n`);
  for (const warning of productionWarnings(config)) console.warn(`  WARNING: ${warning}\n`);
}

async function startDatabase({ DATA_DIR: dataDir }: Config, { onStop, onFailure }: Lifetime): Promise<string> {
  const postgres = await startEmbeddedPostgres(dataDir);
  postgres.onDeath(() => onFailure(new Error(`PostgreSQL ended unexpectedly: see ${dataDir}/postgres.log`)));
  onStop(postgres.stop);
  return postgres.url;
}

function describeStart(
  config: Config,
  demo: { isPasswordKnown: boolean } | undefined,
  standIns: { google: boolean; stripe: string | false | undefined; mail: string | false | undefined },
): string[] {
  const { BRAND_NAME: brand, DEMO_EMAIL: email, DEMO_PASSWORD: password } = config;
  const lines = [
    `${brand} is running at ${config.APP_URL.origin}`,
    demo && `Demo customer: ${email}, password ${demo.isPasswordKnown ? password : "as you set it"}`,
    standIns.google && "Stand-in: Google sign-in (set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET for the real one)",
    standIns.stripe &&
      `Stand-in: Stripe, at ${standIns.stripe}/stripe (set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET for the real one)`,
    standIns.mail && `Stand-in: mail to customers, at ${standIns.mail}/mail (set SMTP_URL for a real server)`,
    config.DATABASE_URL ? "Database: DATABASE_URL" : `Data: ${config.DATA_DIR} (PostgreSQL embedded)`,
    "Ctrl-C stops it.",
  ];
  return lines.filter(Boolean).map((line) => `  ${line}`);
}
