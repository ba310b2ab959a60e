import type { AddressInfo } from "node:net";
import { insertUser } from "@nido/server/account/queries";
import { buildApp } from "@nido/server/app/buildApp";
import type { AppOptions } from "@nido/server/app/createServices";
import { hashPassword } from "@nido/server/auth/passwords";
import { parseConfig } from "@nido/server/config/parseConfig";
import { onTestFinished } from "vitest";
import { createDatabase, type WhenDone } from "./database.ts";

export const origin = "http://localhost:3000";
export const encryptionKey = "a key of thirty-two characters for tests";
export const password = "Right1234";

/** Access to a provider that does not answer, for tests that buy nothing. */
const unreachableStripe = { secretKey: "sk_test_x", webhookSecret: "whsec_x", apiUrl: new URL("http://127.0.0.1:9") };

interface Options extends Partial<AppOptions> {
  env?: Record<string, string>;
  whenDone?: WhenDone;
}

/** Starts the server inside the test's process, on its own database unless `databaseUrl` is set. */
export async function startApp({ env, whenDone = onTestFinished, ...options }: Options = {}) {
  const { WORDPRESS_CORE, WORDPRESS_CLI } = process.env;
  const config = parseConfig({
    LOG_LEVEL: "silent",
    WORDPRESS_CORE,
    WORDPRESS_CLI,
    ENCRYPTION_KEY: encryptionKey,
    ...env,
  });
  const databaseUrl = options.databaseUrl ?? (await createDatabase(whenDone));
  const built = await buildApp({ config, databaseUrl, google: undefined, stripe: unreachableStripe, ...options });
  // On a slow machine a request may wait for a free connection for longer than the product allows.
  for (const db of [built.db, built.essentialDb]) db.$client.options.connectionTimeoutMillis = 120_000;
  await built.app.ready();
  let isOpen = true;
  const close = async () => {
    if (isOpen) await built.app.close();
    isOpen = false;
  };
  whenDone(close);
  return { ...built, databaseUrl, close };
}
export type TestApp = Awaited<ReturnType<typeof startApp>>;

/** A customer with the password `password`. */
export async function createCustomer({ db }: TestApp, email = "ana@example.com"): Promise<string> {
  const id = await insertUser(db, { email, passwordHash: await hashPassword(password), givenName: "Ana" });
  if (!id) throw new Error(`${email} exists already`);
  return id;
}

/** Signs in, and returns the headers of a browser with that session. */
export async function signIn({ app }: TestApp, email = "ana@example.com", secret = password) {
  const response = await app.inject({
    method: "POST",
    url: "/auth/simple",
    headers: { host: "localhost:3000", origin, "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ username: email, password: secret }).toString(),
  });
  const cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return { host: "localhost:3000", origin, cookie };
}

/** Listens on a free port, and returns the address. Requests still need the configured Host header. */
export async function listen({ app }: TestApp): Promise<string> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return `127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}
