import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createDatabase } from "@nido/test-kit/database";
import { freePort } from "@nido/test-kit/freePort";
import { ended, signIn, start } from "@nido/test-kit/product";
import { openSeed } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, onTestFinished, test } from "vitest";

/** Starts processes with different roles on one database, in the given order. */
async function startRoles() {
  const dataDir = mkdtempSync(join(tmpdir(), "nido-roles-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 }));
  const databaseUrl = await createDatabase();
  const appPort = await freePort();
  const shared = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    APP_URL: `http://localhost:${appPort}`,
    ENCRYPTION_KEY: "a key of thirty-two characters for tests",
    STRIPE_SECRET_KEY: "sk_test_x",
    STRIPE_WEBHOOK_SECRET: "whsec_x",
    STRIPE_API_URL: "http://127.0.0.1:9",
    LOG_LEVEL: "fatal",
  };
  const launch = async (ROLES: string, port: number, more: Record<string, string> = {}) => {
    const { child } = await start({ env: { ...shared, ROLES, PORT: String(port), ...more } });
    return { child, port, ask: (host: string, path: string) => ask(`127.0.0.1:${port}`, host, path) };
  };
  return { databaseUrl, appPort, appHost: `localhost:${appPort}`, launch };
}

test("web, edge and worker run apart: each does its own, and the worker can be killed while it provisions a site", async () => {
  const { databaseUrl, appPort, appHost, launch } = await startRoles();
  const edges = await Promise.all([launch("edge", await freePort()), launch("edge", await freePort())]);
  const worker = await launch("worker", await freePort());
  const web = await launch("web", appPort);

  for (const { port } of [...edges, worker, web])
    for (const path of ["/healthz", "/readyz"]) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
    }
  expect(await signIn(`http://${appHost}`)).toContain("nido_session=");
  for (const other of [...edges, worker]) {
    expect((await other.ask(appHost, "/")).status).toBe(404);
    expect((await other.ask(appHost, "/redux")).status).toBe(404);
  }

  const seed = await openSeed(databaseUrl, "demo@nido.example");
  onTestFinished(() => seed.close());
  const making = seed.makeWordPress("blog");
  await pause(2000);
  worker.child.kill("SIGKILL");
  await ended(worker.child);
  await launch("worker", worker.port);
  await making;
  const host = `blog.${appHost}`;
  for (const edge of edges) expect((await edge.ask(host, "/")).text).toContain("<title>blog");
  expect((await web.ask(host, "/")).status).toBe(404);
});

test("a process that is to end serves on until load balancers know, and fails no request", async () => {
  const { databaseUrl, appPort, appHost, launch } = await startRoles();
  await launch("web,worker", appPort);
  const edge = await launch("edge", await freePort(), { DRAIN_SECONDS: "3" });
  const seed = await openSeed(databaseUrl, "demo@nido.example");
  onTestFinished(() => seed.close());
  await seed.makeWordPress("blog");
  const statuses = new Set<number>();
  const readiness = async () => (await fetch(`http://127.0.0.1:${edge.port}/readyz`)).status;
  edge.child.kill("SIGTERM");
  await eventually(async () => expect(await readiness()).toBe(503));
  const began = Date.now();
  while (Date.now() - began < 1500) statuses.add((await edge.ask(`blog.${appHost}`, "/")).status);
  expect([...statuses]).toEqual([200]);
  expect(await ended(edge.child)).toBe(0);
});
