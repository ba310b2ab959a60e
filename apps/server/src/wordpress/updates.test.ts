import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CustomerState, SitePlugins, SiteUpdates } from "@nido/contract";
import { signIn } from "@nido/test-kit/app";
import { testLong } from "@nido/test-kit/long";
import { startNative, whyNotNative } from "@nido/test-kit/native";
import { openSiteJobs } from "@nido/test-kit/siteJobs";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { zipSync } from "fflate";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findJob } from "../jobs/enqueue.ts";
import { updateSiteJob } from "./jobs.ts";
import { findWordPress } from "./queries.ts";
import { runCron } from "./upkeep/runCron.ts";
import { updateCore, updateSite } from "./upkeep/updateCore.ts";

const reason = whyNotNative();
if (reason) console.log(`Updates are tried on the embedded runtime, because ${reason}.`);

let sites: Sites;
let ana: TestSite;
/** a copy of WordPress, whose version the tests change */
let core: string;
let headers: Record<string, string>;
let jobs: ReturnType<typeof openSiteJobs>;
const undos: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
  core = mkdtempSync(join(tmpdir(), "nido-core-"));
  whenDone(async () => rmSync(core, { recursive: true }));
  cpSync(process.env["WORDPRESS_CORE"] as string, core, { recursive: true });
  const env = reason ? {} : (await startNative(whenDone)).env;
  sites = await openSites(whenDone, { ...env, WORDPRESS_CORE: core });
  ana = await sites.open("anasite");
  headers = await signIn(sites.server, "anasite@example.com");
  jobs = openSiteJobs(sites, whenDone);
  for (const name of ["chat", "shop"])
    await write(`plugins/${name}/${name}.php`, pluginOf(name, "1.0", `echo '<p>${name} one</p>';`));
  await ana.ask(await ana.addProgram("activate.php", `${load} activate_plugin('chat/chat.php');`));
});
afterAll(async () => {
  if (ana) await sites.server.wordpress.runtime.remove(ana.id);
  for (const undo of undos) await undo();
});
beforeEach(async () => {
  await sites.server.db.execute(sql`delete from attempts`);
  await sites.server.db.execute(sql`update wordpress_sites set work = null`);
  await jobs.forget();
});

const load =
  "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; require_once ABSPATH . 'wp-admin/includes/plugin.php';";
const pluginOf = (name: string, version: string, footer: string) =>
  `<?php\n/*\nPlugin Name: The ${name}\nVersion: ${version}\n*/\nadd_action('wp_footer', function () { ${footer} });\n`;

/** Writes a file below the site's content, as the site itself does. */
async function write(path: string, content: string | Uint8Array) {
  const code = `$to = '${ana.folder.content}/${path}'; $to = is_dir('/site') ? '/site/wp-content/${path}' : $to; @mkdir(dirname($to), 0755, true);
    file_put_contents($to, base64_decode('${Buffer.from(content).toString("base64")}')); echo 'written';`;
  const file = `write${Math.random().toString(36).slice(2)}.php`;
  expect((await ana.ask(await ana.addProgram(file, code))).text).toBe("written");
}

/** Offers an update as WordPress finds it at wordpress.org, with a package that lies in the site itself. */
async function offer(name: string, version: string, footer?: string) {
  const archive = zipSync({ [`${name}/${name}.php`]: Buffer.from(pluginOf(name, version, footer ?? "")) });
  if (footer !== undefined) await write(`uploads/${name}-${version}.zip`, archive);
  const code = `${load} $found = get_site_transient('update_plugins') ?: new stdClass();
    $found->response['${name}/${name}.php'] = (object) array('slug' => '${name}', 'plugin' => '${name}/${name}.php',
      'new_version' => '${version}', 'upgrade_notice' => '<p>Closes a <b>hole</b> &amp; more.<script>alert(1)</script></p>', 'package' => WP_CONTENT_DIR . '/uploads/${name}-${version}.zip');
    set_site_transient('update_plugins', $found);`;
  await ana.ask(await ana.addProgram(`offer${Math.random().toString(36).slice(2)}.php`, code));
}

const call = (method: "GET" | "POST" | "PUT", payload?: object, path = "updates") =>
  sites.server.app.inject({
    method,
    url: `/api/projects/${ana.id}/${path}`,
    headers,
    ...(payload && { payload }),
  });
const updates = async () => (await call("GET")).json() as SiteUpdates;
async function project() {
  sites.server.live.forget(ana.userId);
  const state = (await sites.server.app.inject({ url: "/redux", headers })).json() as CustomerState;
  return { ...state.projects[ana.id], activity: state.activity };
}
/** what the plugin prints on the home page */
const home = async () => /<p>chat (\w+)/.exec((await ana.ask(`/?x=${Math.random()}`)).text)?.[1];
async function undo() {
  const payload = { type: "UNDO", payload: { activity_id: (await project()).activity } };
  expect((await sites.server.app.inject({ method: "POST", url: "/redux", headers, payload })).statusCode).toBe(200);
  await jobs.work();
}

test("a plugin is updated after a backup, and that is undone", async () => {
  expect((await updates()).items).toEqual([]);
  await offer("chat", "1.1", "echo '<p>chat two</p>';");
  expect(await updates()).toMatchObject({
    php: expect.stringMatching(/^8\./),
    wants_majors: false,
    items: [
      {
        ...{ kind: "plugin", id: "chat/chat.php", name: "The chat", version: "1.0", new_version: "1.1" },
        notice: "Closes a hole & more.",
      },
    ],
  });
  for (const wrong of [{ plugins: ["shop/shop.php"] }, { plugins: [] }, { core: "9.9" }, { plugins: ["../x"] }])
    expect((await call("POST", { plugins: [], themes: [], ...wrong })).statusCode).toBe(400);
  expect((await call("POST", { plugins: ["chat/chat.php"], themes: [] })).statusCode).toBe(202);
  expect((await project()).work).toEqual({ kind: "update", progress: 0 });
  await jobs.work();
  expect((await project()).work).toBeUndefined();
  expect(await home()).toBe("two");
  expect((await updates()).items).toEqual([]);
  await undo();
  expect(await home()).toBe("one");
});

test("an update that breaks pages, or that does not happen, is undone by itself", async () => {
  await offer("shop", "2.0", "");
  await offer("chat", "1.2", "missing_function();");
  const { items } = await updates();
  expect(items.map((item) => item.new_version).sort()).toEqual(["1.2", "2.0"]);
  await call("POST", { plugins: ["chat/chat.php"], themes: [] });
  await jobs.work();
  expect((await project()).work).toEqual({ kind: "update", progress: 0, has_failed: true });
  expect(await home()).toBe("one");
  const log = (await sites.server.app.inject({ url: "/api/activity", headers })).json();
  expect(log.entries[0]).toMatchObject({ kind: "itemsUndone", params: { items: "The chat 1.2" } });
  // What else can be updated is still known.
  expect((await updates()).items.map(({ id }) => id)).toContain("shop/shop.php");

  await offer("chat", "1.2.1");
  await call("POST", { plugins: ["chat/chat.php"], themes: [] });
  await expect(jobs.work()).rejects.toThrow("chat/chat.php has version 1.0, and not 1.2.1");
  await jobs.work(3);
  expect((await project()).work).toMatchObject({ kind: "update", has_failed: true });
});

test("while the site is closed for maintenance, an update is looked at as well", async () => {
  expect((await call("PUT", { is_maintained: true }, "care")).statusCode).toBe(200);
  await eventually(async () => expect((await ana.ask("/")).status).toBe(503));
  await offer("chat", "1.2.3", "missing_function();");
  await call("POST", { plugins: ["chat/chat.php"], themes: [] });
  await jobs.work();
  expect((await project()).work).toMatchObject({ kind: "update", has_failed: true });
  expect((await ana.ask("/")).status).toBe(503);
  expect((await call("PUT", { is_maintained: false }, "care")).statusCode).toBe(200);
  await eventually(async () => expect(await home()).toBe("one"));
});

test("the pages that the owner chose are looked at", async () => {
  for (const page of ["https://example.com/", "//example.com/", "a", "/a b", "/wp-admin/", "/a\\b"])
    expect([page, (await call("PUT", { checked_pages: [page] })).statusCode]).toEqual([page, 400]);
  expect((await call("PUT", { checked_pages: ["/a", "/b", "/c", "/d"] })).statusCode).toBe(400);
  expect((await call("PUT", { checked_pages: ["/?s=zapatos"] })).statusCode).toBe(200);
  expect((await updates()).checked_pages).toEqual(["/?s=zapatos"]);
  await offer("chat", "1.2.2", "if (($_GET['s'] ?? '') === 'zapatos') missing_function();");
  await call("POST", { plugins: ["chat/chat.php"], themes: [] });
  await jobs.work();
  expect((await project()).work).toMatchObject({ kind: "update", has_failed: true });
  expect((await call("PUT", { checked_pages: [] })).statusCode).toBe(200);
});

test("what is automatic is updated when WP-Cron finds it, nothing else, and not again after it was undone", async () => {
  const { db, wordpress } = sites.server;
  await offer("chat", "1.3", "echo '<p>chat three</p>';");
  const plugins = async (body: object) =>
    (await call("PUT", { on: [], off: [], ...body }, "plugins")).json() as SitePlugins;
  const on = await plugins({ automatic_on: ["chat/chat.php"] });
  expect(on.plugins.filter((plugin) => plugin.is_automatic).map(({ id }) => id)).toEqual(["chat/chat.php"]);
  const logged = async () => {
    const { entries } = (await sites.server.app.inject({ url: "/api/activity", headers })).json();
    return [entries[0].kind, entries[0].params.plugins];
  };
  expect(await logged()).toEqual(["pluginsAutomatic", "The chat"]);
  expect((await updates()).items.map(({ id, is_automatic: isIt }) => [id, isIt]).sort()).toEqual([
    ["chat/chat.php", true],
    ["shop/shop.php", false],
  ]);
  const cron = async () => {
    await db.execute(sql`update wordpress_sites set next_cron_at = now()`);
    await runCron(wordpress);
    await jobs.work();
  };
  await cron();
  expect(await home()).toBe("three");
  expect((await updates()).items.map(({ id }) => id)).toEqual(["shop/shop.php"]);
  await undo();
  expect(await home()).toBe("one");
  await cron();
  expect(await home()).toBe("one");
  // Its owner may still ask for it.
  await call("POST", { plugins: ["chat/chat.php"], themes: [] });
  await jobs.work();
  expect(await home()).toBe("three");
  const off = await plugins({ automatic_off: ["chat/chat.php"] });
  expect(off.plugins.some((plugin) => plugin.is_automatic)).toBe(false);
  expect(await logged()).toEqual(["pluginsManual", "The chat"]);
});

testLong(
  "a new WordPress is installed by choice or by setting, undone with its database, and never by itself",
  async () => {
    const { wordpress, db } = sites.server;
    const versionOf = async () => (await findWordPress(db, ana.id))?.core;
    const first = await versionOf();
    const file = join(core, "wp-includes/version.php");
    const release = async (version: string) => {
      writeFileSync(file, readFileSync(file, "utf8").replace(/\$wp_version = '[^']*'/, `$wp_version = '${version}'`));
      await updateCore(wordpress);
    };
    await release("99.1");
    expect(await versionOf()).toBe(first);
    expect(await updates()).toMatchObject({ version: first, newest: "99.1" });
    expect((await call("POST", { core: "99.1", plugins: [], themes: [] })).statusCode).toBe(202);
    await jobs.work();
    expect(await versionOf()).toBe("99.1");
    expect(await home()).toBe("three");
    expect((await updates()).newest).toBeUndefined();
    // The old version stays for as long as the update can be undone.
    await updateCore(wordpress);
    await undo();
    expect(await versionOf()).toBe(first);
    expect(await home()).toBe("three");

    // What its owner undid does not come back by itself, but the next version does.
    expect((await call("PUT", { wants_majors: true })).statusCode).toBe(200);
    await updateCore(wordpress);
    await expect(jobs.work()).rejects.toThrow("0 jobs wait");
    await release("100.0");
    await jobs.work();
    expect(await versionOf()).toBe("100.0");
    expect((await findWordPress(db, ana.id))?.isMoving).toBe(false);

    // A release line that is no longer the newest gets its own updates.
    await undo();
    expect(await versionOf()).toBe(first);
    const patch = `${first?.split(".").slice(0, 2).join(".")}.99`;
    await release(patch);
    expect(await wordpress.runtime.cores.latestOf(first ?? "")).toBe(patch);
    expect(wordpress.runtime.cores.has(patch)).toBe(true);
    expect(await findJob(db, updateSiteJob, ana.id)).toBeDefined();
    // Also while its owner works on it.
    expect((await call("PUT", { is_maintained: true }, "care")).statusCode).toBe(200);
    await updateSite(wordpress, ana.id);
    expect(await versionOf()).toBe(patch);
  },
);
