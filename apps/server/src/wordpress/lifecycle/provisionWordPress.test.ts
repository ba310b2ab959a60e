import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCustomer, signIn, startApp } from "@nido/test-kit/app";
import { orderWordPress } from "@nido/test-kit/seed";
import { newBuyer, openShop, order, pay, projectsOf, stateOf } from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { setProjectStatus } from "../../projects/queries.ts";
import { siteFolder } from "../siteFolder.ts";
import { provisionWordPress } from "./provisionWordPress.ts";
import { retryProvisioning } from "./retryProvisioning.ts";

/** The app with a WORDPRESS_CORE folder, empty at first, that the test may damage, and an ordered site. */
async function openOrder() {
  const folder = mkdtempSync(join(tmpdir(), "nido-made-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const core = join(folder, "core");
  mkdirSync(core);
  const server = await startApp({ env: { DATA_DIR: join(folder, "data"), WORDPRESS_CORE: core } });
  const order = await orderWordPress(server.db, await createCustomer(server), "newsite");
  const headers = await signIn(server);
  return {
    server,
    order,
    folder: siteFolder(join(folder, "data"), order.projectId),
    bringCore: () => cpSync(process.env["WORDPRESS_CORE"] as string, core, { recursive: true }),
    core,
    task: async () => (await server.app.inject({ url: `/api/tasks/${order.taskId}`, headers })).json(),
    project: async () => Object.values((await stateOf(server, headers)).projects)[0],
    make: (attempt: number) => provisionWordPress(server.wordpress, order, attempt),
  };
}

test("without a WordPress core, provisioning fails after five attempts, and can be repeated later", async () => {
  const { server, order, folder, bringCore, task, project, make } = await openOrder();
  for (const attempt of [1, 2, 3, 4]) await expect(make(attempt)).rejects.toThrow("Set WORDPRESS_CORE to");
  expect(await task()).toEqual({
    state: "running",
    progress: [{ progress: 0.1, message: "initializing_database" }],
  });
  expect(await project()).toMatchObject({ status: "provisioning" });
  await make(5);
  expect(await task()).toMatchObject({ state: "failed", error: "error_wordpress_missing" });
  await eventually(async () => expect(await project()).toMatchObject({ status: "failed" }));
  expect(existsSync(folder.root)).toBe(false);
  const page = await server.app.inject({ url: "/", headers: { host: "newsite.localhost:3000" } });
  expect([page.statusCode, page.body]).toEqual([503, expect.stringContaining("Estamos resolviendo un problema")]);

  bringCore();
  await server.db.transaction((tx) => setProjectStatus(tx, order.projectId, "provisioning"));
  await make(1);
  expect(await task()).toMatchObject({ state: "completed" });
  expect(await task()).not.toHaveProperty("error");
  await eventually(async () => expect(await project()).toMatchObject({ status: "active" }));
  expect((await project())?.disk.used).toBeGreaterThan(100_000);
  await make(1);
  expect(await task()).toMatchObject({ state: "completed" });
});

test.each([
  { file: "wp-admin/includes/schema.php", fault: /answered 500 at \/ \(install.php\)/, left: 0 },
  { file: "wp-login.php", fault: "answered 200 and 503 at its home and login pages", left: 1 },
])("a site whose $file is broken fails and leaves no files", async ({ file, fault, left }) => {
  const { folder, bringCore, core, task, make } = await openOrder();
  bringCore();
  writeFileSync(join(core, file), "<?php http_response_code( 503 );");
  await expect(make(1)).rejects.toThrow(fault);
  const sites = () => readdirSync(join(folder.root, ".."));
  expect(sites()).toHaveLength(left);
  await make(5);
  expect(await task()).toMatchObject({ state: "failed", error: "error_wordpress_failed" });
  expect([sites(), existsSync(folder.installedMark)]).toEqual([[], false]);
});

test("a project deleted during its provisioning leaves no files", async () => {
  const { server, order, folder, bringCore, make } = await openOrder();
  bringCore();
  const making = make(1);
  await eventually(() => expect(existsSync(folder.settings)).toBe(true), { intervalMs: 5 });
  await server.db.execute(sql`update projects set archived_at = now() where id = ${order.projectId}`);
  await making;
  expect(readdirSync(join(folder.root, ".."))).toEqual([]);
});

test("retryProvisioning enqueues a failed site again, without another purchase, and no other site", async () => {
  const shop = await openShop({ works: false });
  const { id: userId, headers } = await newBuyer(shop);
  const response = await order(shop, headers, { category: "wordpress", username: "lucia", project_name: "oncemore" });
  await pay(shop, response.json<{ id: string }>().id);
  await eventually(async () => {
    await shop.work();
    expect(await projectsOf(shop.server, headers)).toHaveLength(1);
  });
  const { db } = shop.server;
  expect(await db.transaction((tx) => retryProvisioning(tx, "oncemore"))).toBe(false);
  await db.execute(sql`delete from graphile_worker._private_jobs`);
  await db.execute(sql`update projects set status = 'failed' where user_id = ${userId}`);
  await db.execute(sql`update tasks set state = 'failed', error = 'error_wordpress_failed'`);

  expect(await db.transaction((tx) => retryProvisioning(tx, "oncemore"))).toBe(true);
  const { rows } = await db.execute(sql`select payload from graphile_worker._private_jobs`);
  expect(rows).toEqual([{ payload: expect.objectContaining({ username: "lucia", lang: "es" }) }]);
  const { rows: tasks } = await db.execute(sql`select state, progress, error from tasks`);
  expect(tasks).toEqual([{ state: "pending", progress: [], error: null }]);
});
