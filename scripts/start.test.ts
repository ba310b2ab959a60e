import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../packages/test-kit/src/database.ts";
import { ended, run, settings, signIn, start } from "../packages/test-kit/src/product.ts";
import { eventually } from "../packages/test-kit/src/waitUntil.ts";

function postgresOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "database/postmaster.pid"), "utf8").split("\n")[0]);
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && /^State:\s+[^Z]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

function setPhone(origin: string, cookie: string, phone: string) {
  return fetch(`${origin}/redux`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ type: "UPDATE_USER_PHONE", payload: { phone } }),
  });
}

async function phoneOf(origin: string, cookie: string): Promise<string> {
  const response = await fetch(`${origin}/redux`, { headers: { cookie } });
  return ((await response.json()) as { user: { phone: string } }).user.phone;
}

test("start prints the URL and the demo login, serves, and leaves no PostgreSQL behind after SIGINT (Ctrl-C)", async () => {
  const { env, dataDir, origin } = await settings();
  const { child, output } = await start({ env });
  expect(output()).toContain(`Nido is running at ${origin}`);
  expect(output()).toContain("Demo customer: demo@nido.example, password Demo1234");
  expect(output()).toContain("Stand-in: Google sign-in");
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  expect(await (await fetch(origin)).text()).toContain('<div id="root">');
  const cookie = await signIn(origin);
  expect((await setPhone(origin, cookie, "600100100")).status).toBe(200);

  const postgres = postgresOf(dataDir);
  child.kill("SIGINT");
  child.kill("SIGINT"); // a terminal also signals the launcher, which forwards it
  expect(await ended(child), "it gives up with 1 after 4.5 seconds").toBe(0);
  expect(isRunning(postgres)).toBe(false);
  expect(existsSync(join(dataDir, "database/postmaster.pid"))).toBe(false);

  const again = await start({ env });
  expect(await phoneOf(origin, cookie)).toBe("600100100");
  again.child.kill("SIGTERM");
  expect(await ended(again.child)).toBe(0);
});

test("kill -9 (SIGKILL) loses no acknowledged write, and the next start recovers by itself", async () => {
  const { env, dataDir, origin } = await settings();
  let nido = await start({ env });
  const cookie = await signIn(origin);
  let acknowledged = "";
  for (const round of [1, 2, 3]) {
    const killAt = setTimeout(() => nido.child.kill("SIGKILL"), 40 * round);
    let last = "";
    for (let sent = 0; nido.child.signalCode === null; sent++) {
      last = `60000${round}${String(sent).padStart(3, "0")}`;
      const response = await setPhone(origin, cookie, last).catch(() => undefined);
      if (response?.ok) acknowledged = last;
    }
    clearTimeout(killAt);
    expect(isRunning(postgresOf(dataDir))).toBe(true);
    nido = await start({ env });
    // A write that was sent but not acknowledged may or may not be stored.
    const kept = Number(await phoneOf(origin, cookie));
    expect(kept).toBeGreaterThanOrEqual(Number(acknowledged));
    expect(kept).toBeLessThanOrEqual(Number(last));
  }
  nido.child.kill("SIGTERM");
  await ended(nido.child);
});

test("killing the launcher stops the server and its PostgreSQL", async () => {
  const { env, dataDir, origin } = await settings();
  const { child } = await start({ env, program: ["scripts/launch.mjs", "scripts/start.ts"] });
  const postgres = postgresOf(dataDir);
  child.kill("SIGKILL");
  await eventually(() => expect(isRunning(postgres)).toBe(false));
  await expect(fetch(`${origin}/healthz`)).rejects.toThrow();
});

test("with DATABASE_URL no embedded PostgreSQL is started", async () => {
  const { env, dataDir, origin } = await settings();
  const { child, output } = await start({ env: { ...env, DATABASE_URL: await createDatabase() } });
  expect(output()).toContain("Database: DATABASE_URL");
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  expect(existsSync(join(dataDir, "database"))).toBe(false);
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test("with a public APP_URL there are no stand-ins and no demo customer", async () => {
  const { env } = await settings();
  const { child, output } = await start({
    env: {
      ...env,
      APP_URL: "https://panel.example.com",
      SITES_DOMAIN: "sites.example.net",
      SITES_ADDRESSES: "203.0.113.7",
      STRIPE_SECRET_KEY: "sk_test_x",
      STRIPE_WEBHOOK_SECRET: "whsec_x",
      TRUSTED_PROXIES: "127.0.0.1",
      DATABASE_URL: await createDatabase(),
      LOG_LEVEL: "warn",
    },
  });
  expect(output()).toContain("Nido is running at https://panel.example.com");
  expect(output()).not.toMatch(/Demo|Stand-in/);
  await expect(fetch(`http://127.0.0.1:${env.SANDBOX_PORT}/google/.well-known/openid-configuration`)).rejects.toThrow();
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test("a port in use is reported in one sentence, and nothing is started", async () => {
  const { env, dataDir } = await settings();
  const squatter = createServer().listen(Number(env.PORT), "127.0.0.1");
  onTestFinished(() => void squatter.close());
  await once(squatter, "listening");
  const { child, output } = run({ env });
  expect(await ended(child)).toBe(1);
  expect(output()).toBe(
    `Nido cannot start.\nPORT=${env.PORT} is already in use: stop what uses it, or set another PORT.\n`,
  );
  expect(existsSync(dataDir)).toBe(false);
});

test.each([
  [{ PORT: "abc" }, "PORT=abc must be a whole number from 1 to 65535."],
  [{ DATA_DIR: "/dev/null/nido" }, "DATA_DIR=/dev/null/nido cannot be written"],
  [{ HOST: "203.0.113.1" }, "cannot be opened on HOST=203.0.113.1"],
  [{ DATABASE_URL: "postgres://127.0.0.1:1/x" }, "DATABASE_URL cannot be used"],
])("%o is refused with exit code 1", async (bad, sentence) => {
  const { env, dataDir } = await settings();
  const { child, output } = run({ env: { ...env, ...(bad as object) } });
  expect(await ended(child)).toBe(1);
  expect(output()).toContain(sentence);
  expect(output()).not.toContain("    at ");
  expect(existsSync(join(dataDir, "database"))).toBe(false);
});
