import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SiteUpdates } from "@nido/contract";
import { signIn } from "@nido/test-kit/app";
import { openSiteJobs } from "@nido/test-kit/siteJobs";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findWordPress, setMissingPhp } from "./queries.ts";

let sites: Sites;
let ana: TestSite;
let headers: Record<string, string>;
let jobs: ReturnType<typeof openSiteJobs>;
const undos: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
  // Debian has one version of PHP-FPM; the embedded runtime has several.
  sites = await openSites(whenDone, { WORDPRESS_RUNTIME: "embedded", WORDPRESS_REQUEST_SECONDS: "120" });
  ana = await sites.open("anasite");
  headers = await signIn(sites.server, "anasite@example.com");
  jobs = openSiteJobs(sites, whenDone);
});
afterAll(async () => {
  if (ana) await sites.server.wordpress.runtime.remove(ana.id);
  for (const undo of undos) await undo();
});

const url = () => `/api/projects/${ana.id}/updates`;
const updates = async () => (await sites.server.app.inject({ url: url(), headers })).json<SiteUpdates>();
const update = (wanted: object) =>
  sites.server.app.inject({ method: "POST", url: url(), headers, payload: { plugins: [], themes: [], ...wanted } });
const version = async () => (await ana.ask(await ana.addProgram("version.php", "echo PHP_VERSION;"))).text;
const row = () => findWordPress(sites.server.db, ana.id);

test("a newer PHP on the machine changes no site by itself", async () => {
  const { db, wordpress } = sites.server;
  const [bea, eva] = [await sites.open("beasite"), await sites.open("evasite")];
  // As if it was made before versions were stored.
  await db.execute(sql`update wordpress_sites set php = null where project_id = ${eva.id}`);
  await setMissingPhp(db, "local", "8.3");
  const { runtime } = wordpress;
  const versions = runtime.phpVersions;
  Object.assign(runtime, { phpVersions: versions.toReversed() });
  onTestFinished(() => void Object.assign(runtime, { phpVersions: versions }));
  for (const site of [bea, eva]) {
    const program = await site.addProgram("version.php", "echo PHP_VERSION;");
    expect((await site.ask(program)).text).toMatch(/^8\.3\./);
  }
});

test("the owner chooses another PHP, after a backup; if it breaks the pages, the old one runs again", async () => {
  expect(await updates()).toMatchObject({ php_versions: ["8.3", "8.4"] });
  expect(await version()).toMatch(/^8\.3\./);
  for (const wrong of [{ php: "9.9" }, { php: "8.4", core: "6.9" }, { php: "8.4", plugins: ["x/x.php"] }])
    expect((await update(wrong)).statusCode).toBe(400);
  expect((await update({ php: "8.4" })).statusCode).toBe(202);
  expect((await update({ php: "8.3" })).json()).toMatchObject({ error: "error_site_busy" });
  await jobs.work();
  expect(await version()).toMatch(/^8\.4\./);
  expect((await updates()).php).toMatch(/^8\.4\./);
  expect(await row()).toMatchObject({ php: "8.4", isMoving: false });
  expect((await ana.ask("/")).status).toBe(200);

  const folder = join(ana.folder.content, "plugins/modern");
  mkdirSync(folder, { recursive: true });
  const code = `if (PHP_VERSION_ID < 80400) {
    update_option('written_meanwhile', 'an order'); die('<h1>This plugin needs PHP 8.4</h1>'); }`;
  writeFileSync(join(folder, "modern.php"), `<?php\n/* Plugin Name: Modern */\n${code}`);
  const activate =
    "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; require_once ABSPATH . 'wp-admin/includes/plugin.php';";
  const activated = await ana.ask(
    await ana.addProgram("activate.php", `${activate} echo json_encode(activate_plugin('modern/modern.php'));`),
  );
  expect(activated.text).toBe("null");
  expect((await update({ php: "8.3" })).statusCode).toBe(202);
  await jobs.work();
  expect(await row()).toMatchObject({ php: "8.4", isMoving: false });
  expect(await version()).toMatch(/^8\.4\./);
  expect((await ana.ask("/")).text).not.toContain("needs PHP 8.4");
  const read = "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; echo get_option('written_meanwhile');";
  expect((await ana.ask(await ana.addProgram("read.php", read))).text).toBe("an order");
});
