import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SiteCare, SitePlugins, SiteUsers } from "@nido/contract";
import { createCustomer, signIn } from "@nido/test-kit/app";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findWordPress, type SiteRow } from "./queries.ts";
import { checkHealth } from "./requestSite.ts";
import { siteOf } from "./WordPress.ts";

let sites: Sites;
let ana: TestSite;
let headers: Awaited<ReturnType<typeof signIn>>;
const undos: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sites = await openSites((undo) => undos.unshift(undo));
  ana = await sites.open("anasite");
  headers = await signIn(sites.server, "anasite@example.com");
});
afterAll(async () => {
  for (const undo of undos) await undo();
});

const call = (method: "GET" | "PUT" | "POST", path: string, payload?: object) =>
  sites.server.app.inject({ method, url: `/api/projects/${ana.id}/${path}`, headers, ...(payload && { payload }) });

async function addPlugin(name: string, code: string) {
  const folder = join(ana.folder.content, "plugins", name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.php`), `<?php\n/* Plugin Name: The ${name}\nVersion: 1.2 */\n${code}`);
}

const activate = (...names: string[]) =>
  run(`update_option('active_plugins', ${JSON.stringify(names.map((name) => `${name}/${name}.php`))});`);

async function run(code: string) {
  const path = await ana.addProgram(
    `probe${Math.random().toString(36).slice(2)}.php`,
    `require '/wordpress/wp-load.php'; wp_set_current_user(1); ${code}`,
  );
  return ana.ask(path);
}

async function signInToSite() {
  const { token } = (await sites.server.app.inject({ url: `/api/vault/${ana.id}/sso`, headers })).json();
  return ana.ask("/nido-sso", { form: { token } });
}

test("a plugin with a fatal error is found and turned off; its owner gets in, and can turn it on again", async () => {
  await addPlugin("good", "add_filter('the_title', fn () => 'Changed by good');");
  await addPlugin("bad", "if (isset($_GET['ok'])) return; function_that_does_not_exist();");
  await activate("good", "bad");
  expect((await ana.ask("/hola-mundo/")).status).toBe(500);

  const entered = await signInToSite();
  expect([entered.status, entered.headers.location]).toEqual([303, "http://anasite.localhost:3000/wp-admin/"]);
  const cookies = (entered.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
  expect(cookies).toContain("wordpress_rec_");
  // Recovery mode pauses the plugin with the first request, and redirects to the same page.
  const first = await ana.ask("/wp-admin/", { headers: { cookie: cookies } });
  expect(first.status).toBe(302);
  const second = await ana.ask("/wp-admin/", { headers: { cookie: cookies } });
  expect([second.status, second.text.includes("wpadminbar")]).toEqual([200, true]);

  const found: SitePlugins = (await call("GET", "plugins")).json();
  expect(found.fatal).toMatchObject({
    cause: "plugin",
    name: "bad",
    message: expect.stringContaining("function_that_does_not_exist"),
  });
  expect(found.plugins).toContainEqual({
    id: "bad/bad.php",
    name: "The bad",
    version: "1.2",
    is_active: true,
    is_automatic: false,
    can_activate: true,
  });

  const mended = await call("PUT", "plugins", { on: [], off: ["bad/bad.php"] });
  expect(mended.json().fatal).toBeUndefined();
  expect((await ana.ask("/hola-mundo/")).text).toContain("Changed by good");

  await addPlugin("bad", "add_filter('the_content', fn () => 'Mended');");
  await addPlugin("never", "function_that_does_not_exist();");
  const all = ["good/good.php", "bad/bad.php", "never/never.php"];
  const again: SitePlugins = (await call("PUT", "plugins", { on: all, off: [] })).json();
  expect(
    again.plugins
      .filter((plugin) => plugin.is_active)
      .map((plugin) => plugin.id)
      .sort(),
  ).toEqual(all.slice(0, 2).sort());
  expect((await ana.ask("/hola-mundo/")).text).toContain("Mended");
});

test("a broken theme and a broken must-use plugin do not keep the owner out", async () => {
  const theme = join(ana.folder.content, "themes/broken");
  await mkdir(theme, { recursive: true });
  await writeFile(join(theme, "style.css"), "/* Theme Name: Broken */");
  await writeFile(join(theme, "index.php"), "<?php");
  await writeFile(join(theme, "functions.php"), "<?php function_of_the_theme();");
  await run("update_option('template', 'broken'); update_option('stylesheet', 'broken');");
  expect((await ana.ask("/?s=x")).status).toBe(500);
  expect((await signInToSite()).status).toBe(303);
  expect((await call("GET", "plugins")).json().fatal).toMatchObject({ cause: "theme", name: "broken" });
  await mkdir(join(ana.folder.content, "mu-plugins"), { recursive: true });
  await writeFile(join(ana.folder.content, "mu-plugins/bad.php"), "<?php function_of_the_mu_plugin();");
  expect((await call("GET", "plugins")).statusCode).toBe(200);
  expect((await signInToSite()).status).toBe(303);
});

test("a plugin that never ends, and a broken drop-in, do not keep the owner out", async () => {
  await addPlugin("endless", "for (;;);");
  await activate("endless");
  expect((await signInToSite()).status).toBe(303);
  const off = await call("PUT", "plugins", { on: [], off: ["endless/endless.php"] });
  expect(off.statusCode).toBe(200);

  const file = join(ana.folder.content, "object-cache.php");
  await writeFile(file, "<?php function_of_the_drop_in();");
  expect((await ana.ask("/?s=y")).status).toBe(500);
  expect((await signInToSite()).status).toBe(303);
  expect((await call("GET", "plugins")).statusCode).toBe(200);
  expect((await call("GET", "care")).statusCode).toBe(200);
  expect((await call("GET", "updates")).statusCode).toBe(200);
  await rm(file);
});

test("malformed input and another customer are refused", async () => {
  expect((await call("PUT", "plugins", { on: "all", off: [] })).statusCode).toBe(400);
  await sites.open("beasite");
  const others = await signIn(sites.server, "beasite@example.com");
  for (const [method, path] of [
    ["GET", "plugins"],
    ["PUT", "plugins"],
    ["POST", "purge"],
  ] as const) {
    const payload = method === "PUT" ? { payload: { on: [], off: [] } } : {};
    const answer = await sites.server.app.inject({
      method,
      url: `/api/projects/${ana.id}/${path}`,
      headers: others,
      ...payload,
    });
    expect([path, answer.statusCode]).toEqual([path, 404]);
  }
});

test("users who can change something are listed, and reset by the owner", async () => {
  const bea = await sites.open("gentesite");
  const own = await signIn(sites.server, "gentesite@example.com");
  const url = `/api/projects/${bea.id}/users`;
  const load = "require '/wordpress/wp-load.php';";
  const make = await bea.addProgram(
    "make.php",
    `${load} $id = wp_insert_user(['user_login' => 'eva', 'user_pass' => 'secret', 'user_email' => 'eva@example.com', 'role' => 'editor']);
     wp_insert_user(['user_login' => 'reader', 'user_pass' => 'x', 'role' => 'subscriber']);
     WP_Session_Tokens::get_instance($id)->create(time() + 9999);
     WP_Application_Passwords::create_new_application_password($id, ['name' => 'phone']);`,
  );
  expect((await bea.ask(make)).status).toBe(200);
  const { users } = (await sites.server.app.inject({ url, headers: own })).json() as SiteUsers;
  expect(users.map(({ login, role }) => [login, role])).toEqual([
    [expect.any(String), "Administrador"],
    ["eva", "Editor"],
  ]);
  const eva = users.find(({ login }) => login === "eva")?.id;
  const send = (payload: object, headers = own) => sites.server.app.inject({ method: "POST", url, headers, payload });
  for (const reset of [[], ["1"], [0], [1.5]]) expect((await send({ reset })).statusCode).toBe(400);
  await createCustomer(sites.server, "nadie@example.com");
  expect((await send({ reset: [eva] }, await signIn(sites.server, "nadie@example.com"))).statusCode).toBe(404);
  expect((await send({ reset: [eva, 999] })).statusCode).toBe(200);

  const look = await bea.addProgram(
    "look.php",
    `${load} $u = get_user_by('login', 'eva'); echo json_encode([wp_check_password('secret', $u->user_pass, $u->ID),
      count(WP_Session_Tokens::get_instance($u->ID)->get_all()), count(WP_Application_Passwords::get_user_application_passwords($u->ID))]);`,
  );
  expect(JSON.parse((await bea.ask(look)).text)).toEqual([false, 0, 0]);
  const { runtime } = sites.server.wordpress;
  const [name = ""] = await runtime.listMail(bea.id, 9);
  const message = JSON.parse(String((await runtime.readMail(bea.id, name, 50_000))?.content));
  expect(message.recipients).toEqual(["eva@example.com"]);
  expect(Buffer.from(message.mime, "base64").toString()).toContain("action=rp");
  const log = (await sites.server.app.inject({ url: `/api/activity?project=${bea.id}`, headers: own })).json();
  expect(log.entries[0]).toMatchObject({ kind: "usersReset", params: { users: "eva" } });
});

test("a purge ends the cached pages, and is in the activity log", async () => {
  const bea = await sites.open("carsite");
  const own = await signIn(sites.server, "carsite@example.com");
  await bea.ask("/");
  expect((await bea.ask("/")).headers["x-cache"]).toBe("hit");
  const answer = await sites.server.app.inject({ method: "POST", url: `/api/projects/${bea.id}/purge`, headers: own });
  expect(answer.statusCode).toBe(200);
  expect((await bea.ask("/")).headers["x-cache"]).toBe("miss");
  const log = (await sites.server.app.inject({ url: `/api/activity?project=${bea.id}`, headers: own })).json();
  expect(JSON.stringify(log)).toContain("pagesPurged");
});

test("the owner sees PHP's errors and WP-Cron's plan, and switches maintenance and search engines", async () => {
  const bea = await sites.open("carasite");
  const owner = await signIn(sites.server, "carasite@example.com");
  const send = (method: "GET" | "PUT", payload?: object) =>
    sites.server.app.inject({
      method,
      url: `/api/projects/${bea.id}/care`,
      headers: owner,
      ...(payload && { payload }),
    });
  const look = async () => (await send("GET")).json() as SiteCare;
  const change = async (wanted: object) => (await send("PUT", wanted)).json() as SiteCare;
  const code = "require '/wordpress/wp-load.php'; trigger_error('Odd', E_USER_WARNING);";
  const odd = await bea.addProgram("odd.php", code);
  for (const _ of [1, 2]) expect((await bea.ask(odd)).status).toBe(200);
  const slow = await bea.addProgram("slow.php", "require '/wordpress/wp-load.php'; usleep(2100000);");
  expect((await bea.ask(`${slow}?token=secret`)).status).toBe(200);
  const before = await look();
  expect(before.errors).toEqual([
    { at: expect.any(Number), count: 2, message: "PHP Warning:  Odd in plugins/odd.php on line 2" },
  ]);
  // Others may be slow as well on a busy machine.
  const ownSlow = before.slow.filter(({ path }) => path.endsWith("slow.php"));
  expect(ownSlow).toEqual([
    { at: expect.any(Number), seconds: expect.any(Number), path: `GET ${slow}`, queries: expect.any(Number) },
  ]);
  expect(ownSlow[0]?.seconds).toBeGreaterThan(2);
  expect(before.cron.map(({ hook }) => hook)).toContain("wp_version_check");
  expect([before.is_maintained, before.is_listed]).toEqual([false, true]);

  expect((await bea.ask("/")).status).toBe(200);
  const both = { is_maintained: true, is_listed: false };
  expect(await change(both)).toMatchObject(both);
  const becomes = (status: number) => eventually(async () => expect((await bea.ask("/")).status).toBe(status));
  await becomes(503);
  const closed = await bea.ask("/");
  expect([closed.status, closed.headers["retry-after"]]).toEqual([503, "600"]);
  expect(closed.text).toContain("Volvemos enseguida");
  // The platform sees the pages: it compares them before and after updates and moves.
  const { wordpress } = sites.server;
  const row = (await findWordPress(wordpress.db, bea.id)) as SiteRow;
  expect(await checkHealth(wordpress, siteOf(wordpress, row))).toEqual([200, 200]);
  const { token } = (await sites.server.app.inject({ url: `/api/vault/${bea.id}/sso`, headers: owner })).json();
  const entered = await bea.ask("/nido-sso", { form: { token } });
  const cookie = (entered.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
  expect((await bea.ask("/", { headers: { cookie } })).status).toBe(200);
  await change({ is_maintained: false });
  await becomes(200);
  const open = await bea.ask("/");
  expect([open.status, /name='robots' content='[^']*noindex/.test(open.text)]).toEqual([200, true]);
  expect((await send("PUT", { is_listed: "yes" })).statusCode).toBe(400);

  // What only the debug log notes, and visitors never see.
  const quiet = await bea.addProgram(
    "quiet.php",
    "require '/wordpress/wp-load.php'; echo $missing ?? 'page'; trigger_error('Quiet'); echo WP_DEBUG ? ' debugged' : '';",
  );
  const messages = async () => (await look()).errors.map(({ message }) => message);
  expect((await bea.ask(quiet)).text).toBe("page");
  expect([before.debugged_until, await messages()]).toEqual([
    0,
    expect.not.arrayContaining([expect.stringContaining("Quiet")]),
  ]);
  expect((await change({ is_debugged: true })).debugged_until).toBeGreaterThan(Date.now() / 1000);
  expect((await bea.ask(quiet)).text).toBe("page debugged");
  expect(await messages()).toContainEqual("PHP Notice:  Quiet in plugins/quiet.php on line 2");
  // It ends by itself after a day.
  const yesterday = new Date(Date.now() - 86_400_000);
  await utimes(join(bea.folder.state, "debug"), yesterday, yesterday);
  expect((await bea.ask(quiet)).text).toBe("page");
  expect((await look()).debugged_until).toBe(0);
  await change({ is_debugged: true });
  expect((await change({ is_debugged: false })).debugged_until).toBe(0);
  const log = (await sites.server.app.inject({ url: `/api/activity?project=${bea.id}`, headers: owner })).json();
  expect(log.entries[0]).toMatchObject({ kind: "debugChanged", params: { on: false } });
});
