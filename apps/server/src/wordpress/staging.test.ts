import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CustomerState, SiteBackups } from "@nido/contract";
import { signIn } from "@nido/test-kit/app";
import { settingsOf, testedRuntimes, whyNotNative } from "@nido/test-kit/native";
import { openSiteJobs } from "@nido/test-kit/siteJobs";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { resumeProjectOf, suspendProject } from "../projects/queries.ts";
import { archiveSite } from "./lifecycle/archiveSite.ts";
import { dumpTables } from "./lifecycle/pushTables.ts";
import { findStaging, findWordPress } from "./queries.ts";
import { siteFolder } from "./siteFolder.ts";
import { backUp } from "./upkeep/backups.ts";
import { sendMail } from "./upkeep/sendMail.ts";
import { siteOf } from "./WordPress.ts";

describe.each(testedRuntimes("staging copies"))("a staging copy on the %s runtime", (runtime) => {
  // PHP as WebAssembly is slow, and the code is the same.
  const isFast = runtime === "native" || whyNotNative() !== undefined;
  let sites: Sites;
  let bea: TestSite;
  let headers: Record<string, string>;
  let jobs: ReturnType<typeof openSiteJobs>;
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
    const env = await settingsOf(runtime, whenDone);
    sites = await openSites(whenDone, env);
    bea = await sites.open("beasite", "wordpress_pro");
    headers = await signIn(sites.server, "beasite@example.com");
    jobs = openSiteJobs(sites, whenDone);
  });
  afterAll(async () => {
    const staging = bea && (await findStaging(sites.server.db, bea.id));
    for (const id of [bea?.id, staging?.id]) if (id) await sites.server.wordpress.runtime.remove(id);
    for (const undo of undos) await undo();
  });
  beforeEach(async () => {
    await sites.server.db.execute(sql`delete from attempts`);
    await sites.server.db.execute(sql`update wordpress_sites set work = null`);
    await jobs.forget();
  });

  const host = "staging--beasite.localhost:3000";
  const call = (method: "POST" | "DELETE", path = "", payload?: object, as = headers, id = bea.id) =>
    sites.server.app.inject({
      method,
      url: `/api/projects/${id}/staging${path}`,
      headers: as,
      ...(payload && { payload }),
    });
  async function project() {
    sites.server.live.forget(bea.userId);
    const state = (await sites.server.app.inject({ url: "/redux", headers })).json() as CustomerState;
    expect(Object.keys(state.projects)).toEqual([bea.id]);
    return { ...state.projects[bea.id], activity: state.activity };
  }
  const programs: string[] = [];
  /** Runs PHP in the site or its copy. The programs are part of its files. */
  async function run(code: string, at = "beasite.localhost:3000") {
    const staging = at === host ? await findStaging(sites.server.db, bea.id) : undefined;
    const name = `p${programs.push(code)}.php`;
    const load = "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; wp_set_current_user(1);";
    const path = await bea.addProgram(name, `${load} ${code}`, staging?.id);
    return (await bea.askAt(at, path)).text;
  }
  const title = async (at: string) => /<title>([^&<]*)/.exec((await bea.askAt(at, "/")).text)?.[1]?.trim();
  const write = (text: string, at?: string) =>
    run(`file_put_contents(WP_CONTENT_DIR . '/uploads/x.txt', '${text}');`, at);
  const file = async (at: string) => (await bea.askAt(at, "/wp-content/uploads/x.txt")).text;
  const own = "beasite.localhost:3000";
  const option = "echo json_encode(get_option('probe'));";

  async function make() {
    expect((await call("POST")).statusCode).toBe(202);
    await jobs.work();
  }

  test("is a copy at an address of its own, without search engines and mail", async () => {
    await run("update_option('blogname', 'Casa Bea'); update_option('probe', ['link' => home_url('/x'), 'ñ' => 'á']);");
    await write("live");
    expect((await bea.askAt(host, "/")).status).toBe(404);
    expect((await call("POST")).statusCode).toBe(202);
    expect((await project()).work).toEqual({ kind: "copy", progress: 0 });
    expect((await project()).staging).toEqual({ id: expect.any(String), url: `http://${host}` });
    expect((await call("POST")).json()).toMatchObject({ error: "error_site_busy" });
    expect((await call("DELETE")).json()).toMatchObject({ error: "error_site_busy" });
    expect((await bea.askAt(host, "/")).status).toBe(503);
    await jobs.work();
    const { work, staging } = await project();
    expect([work, staging?.copied_at]).toEqual([undefined, expect.stringMatching(/^20/)]);

    const home = await bea.askAt(host, "/");
    expect([home.status, home.headers["x-robots-tag"]]).toEqual([200, "noindex"]);
    expect(home.text).toContain("<title>Casa Bea");
    expect(home.text).not.toMatch(/\/\/beasite\.localhost/);
    expect(home.text).toMatch(/name='robots' content='[^']*noindex/);
    expect(await file(host)).toBe("live");
    expect(JSON.parse(await run(option, host))).toEqual({ link: `http://${host}/x`, ñ: "á" });
    // It signs its cookies with keys of its own.
    const key = "echo AUTH_KEY;";
    expect(await run(key, host)).not.toBe(await run(key));

    await run("wp_mail('cliente@example.com', 'Hola', 'Hola');", host);
    const waiting = async () => sites.server.wordpress.runtime.listMail(staging?.id ?? "", 9);
    expect(await waiting()).toHaveLength(1);
    await sites.server.db.execute(sql`update wordpress_sites set mail_due_at = now()`);
    await sendMail(sites.server.wordpress, {
      isFree: async () => true,
      smtpUrl: "smtp://127.0.0.1:1",
      from: "x@example.com",
    });
    expect(await waiting()).toHaveLength(0);

    const { token } = (await sites.server.app.inject({ url: `/api/vault/${staging?.id}/sso`, headers })).json();
    const entered = await bea.askAt(host, "/nido-sso", { form: { token } });
    expect([entered.status, entered.headers.location]).toEqual([303, `http://${host}/wp-admin/`]);
  });

  test("is pushed in parts or as a whole, and that is undone", async () => {
    await make();
    await run("update_option('blogname', 'Nuevo');", host);
    await write("new", host);
    expect([await title(own), await file(own)]).toEqual(["Casa Bea", "live"]);

    const push = async (parts: string) => {
      expect((await call("POST", "/push", { parts })).statusCode).toBe(202);
      await jobs.work();
    };
    if (isFast) {
      await push("files");
      expect([await title(own), await file(own)]).toEqual(["Casa Bea", "new"]);
      await write("live");
      await push("database");
      expect([await title(own), await file(own)]).toEqual(["Nuevo", "live"]);
    }
    await run("update_option('blogname', 'Otra vez');");
    const secret = await run("echo AUTH_KEY;");
    await run("wp_mail('cliente@example.com', 'Pedido 7', 'Gracias');");
    await push("all");
    // Mail that waits is no part of the copy.
    const { runtime: wordpress } = sites.server.wordpress;
    const [message = ""] = await wordpress.listMail(bea.id, 9);
    expect(String((await wordpress.readMail(bea.id, message, 10_000))?.content)).toContain("Pedido 7");
    await wordpress.removeMail(bea.id, message);
    expect([await title(own), await file(own)]).toEqual(["Nuevo", "new"]);
    expect(await run("echo AUTH_KEY;")).toBe(secret);
    expect(JSON.parse(await run(option))).toEqual({ link: `http://${own}/x`, ñ: "á" });
    expect((await bea.ask("/")).text).not.toContain(host);

    const undo = { type: "UNDO", payload: { activity_id: (await project()).activity } };
    expect((await sites.server.app.inject({ method: "POST", url: "/redux", headers, payload: undo })).statusCode).toBe(
      200,
    );
    await jobs.work();
    expect([await title(own), await file(own)]).toEqual(["Otra vez", "live"]);
    // Nothing is left of what was moved.
    const staging = await findStaging(sites.server.db, bea.id);
    expect(await sites.server.wordpress.backups.list(staging?.id ?? "")).toEqual([]);
    expect((await call("POST", "/push", { parts: "some" })).statusCode).toBe(400);
  });

  test("has no maintenance of the site, and a push leaves that as it is", async () => {
    const maintain = (isMaintained: boolean) =>
      sites.server.app.inject({
        method: "PUT",
        url: `/api/projects/${bea.id}/care`,
        headers,
        payload: { is_maintained: isMaintained },
      });
    const statuses = async () => [(await bea.ask("/")).status, (await bea.askAt(host, "/")).status];
    expect((await maintain(true)).json().is_maintained).toBe(true);
    await make();
    await eventually(async () => expect(await statuses()).toEqual([503, 200]));
    const push = async () => {
      expect((await call("POST", "/push", { parts: "database" })).statusCode).toBe(202);
      await jobs.work();
    };
    await push();
    expect(await statuses()).toEqual([503, 200]);
    await maintain(false);
    await push();
    await eventually(async () => expect(await statuses()).toEqual([200, 200]));
  });

  test("is pushed with some of its tables, while the others stay as they are", async () => {
    const { app } = sites.server;
    const tables = () => app.inject({ url: `/api/projects/${bea.id}/staging/tables`, headers });
    await run("global $wpdb; $wpdb->query('CREATE TABLE wp_orders (id int PRIMARY KEY, what varchar(50))');");
    await make();
    expect((await tables()).json().tables.map(({ name }: { name: string }) => name)).toContain("wp_orders");
    await run("update_option('blogname', 'Copia');", host);
    const insert = `for ($i = 0; $i < 50; $i++)
      wp_insert_post(['post_title' => "Nueva $i ñ '", 'post_content' => home_url('/a'), 'post_status' => 'publish']); echo 'made';`;
    for (let made = 0; made < 250; made += 50) expect(await run(insert, host)).toBe("made");
    await write("of the copy", host);
    await run("global $wpdb; $wpdb->insert('wp_orders', ['id' => 7, 'what' => 'Pan']);");
    const before = [await title(own), await file(own)];

    const push = (payload: object) => call("POST", "/push", payload);
    expect((await push({ parts: "files", tables: ["wp_posts"] })).statusCode).toBe(400);
    expect((await push({ parts: "database", tables: ["wp_posts; DROP"] })).statusCode).toBe(400);
    expect((await push({ parts: "database", tables: ["wp_nothing"] })).json()).toMatchObject({
      error: "error_table_not_found",
    });
    expect((await push({ parts: "database", tables: ["wp_posts", "wp_postmeta"] })).statusCode).toBe(202);
    await jobs.work();

    expect([await title(own), await file(own)]).toEqual(before);
    const count = (where: string) =>
      run(`global $wpdb; echo $wpdb->get_var("SELECT COUNT(*) FROM $wpdb->posts WHERE ${where}");`);
    expect(await count("post_title LIKE 'Nueva %' AND post_type = 'post'")).toBe("250");
    expect(await count("post_content LIKE '%staging--%'")).toBe("0");
    expect(await count(`post_content = 'http://${own}/a' AND post_type = 'post'`)).toBe("250");
    expect(await run("global $wpdb; echo $wpdb->get_var('SELECT what FROM wp_orders WHERE id = 7');")).toBe("Pan");
    expect((await bea.ask("/wp-content/.nido-import.sql")).status).toBe(404);
    const staging = await findStaging(sites.server.db, bea.id);
    const left = join(sites.folder, "backups", staging?.id ?? "");
    expect(existsSync(left)).toBe(false);

    if (isFast) {
      // An order that comes while the copy is read stays, too.
      const { wordpress } = sites.server;
      const { answer } = wordpress;
      onTestFinished(() => {
        wordpress.answer = answer;
      });
      wordpress.answer = async (site, request) => {
        const answered = await answer(site, request);
        if (request.script.path === "push-table.php") {
          wordpress.answer = answer;
          await run("global $wpdb; $wpdb->insert('wp_orders', ['id' => 8, 'what' => 'Sal']);");
        }
        return answered;
      };
      expect((await push({ parts: "all", tables: ["wp_options"] })).statusCode).toBe(202);
      await jobs.work();
      expect([await title(own), await file(own)]).toEqual(["Copia", "of the copy"]);
      const orders = "SELECT GROUP_CONCAT(what ORDER BY id) FROM wp_orders";
      expect(await run(`global $wpdb; echo $wpdb->get_var('${orders}');`)).toBe("Pan,Sal");
    }
    // The rest of this file goes on with what it had.
    await run("update_option('blogname', 'Otra vez');");
    await write("live");
  });

  test.runIf(runtime === "native")("whose code lies about its tables changes nothing but what was chosen", async () => {
    await make();
    const { wordpress, db } = sites.server;
    const staging = await findStaging(db, bea.id);
    if (!staging) throw new Error("no copy");
    const { content } = siteFolder(sites.folder, staging.id);
    const lie = (sql: string, next: string) =>
      writeFileSync(
        join(content, "db.php"),
        `<?php if (isset($_SERVER['NIDO_TABLE'])) { echo json_encode(['sql' => base64_encode("${sql}"), 'next' => ${next}]); exit; }`,
      );
    onTestFinished(() => rmSync(join(content, "db.php"), { force: true }));
    const users = () => run("echo json_encode(wp_list_pluck(get_users(), 'user_login'));");
    const before = await users();

    lie("DROP TABLE wp_users; CREATE TABLE wp_users (ID int); DROP TABLE IF EXISTS wp_posts;", "''");
    expect((await call("POST", "/push", { parts: "database", tables: ["wp_posts"] })).statusCode).toBe(202);
    await expect(jobs.work(3)).rejects.toThrow("could not bring in wp_posts");
    expect(await users()).toBe(before);
    expect((await bea.ask("/")).status).toBe(200);
    expect(existsSync(join(sites.folder, "backups", staging.id))).toBe(false);

    const path = join(sites.folder, "backups", "endless.sql");
    lie("SELECT 1;", "bin2hex(random_bytes(4))");
    const dump = dumpTables(wordpress, siteOf(wordpress, staging), ["wp_posts"], { path, maxBytes: 50 });
    await expect(dump).rejects.toThrow("the copy of wp_posts is too large");
    lie("", "''");
    const nothing = dumpTables(wordpress, siteOf(wordpress, staging), ["wp_posts"], { path, maxBytes: 50 });
    await expect(nothing).rejects.toThrow("wp_posts is a view, or cannot be read");
    rmSync(path);
  });

  test("takes a backup, whole or in parts, while the site stays as it is", async () => {
    const restoreTo = async (parts: string, as = headers) => {
      const url = `/api/projects/${bea.id}/backups`;
      const [backup] = ((await sites.server.app.inject({ url, headers })).json() as SiteBackups).backups;
      const payload = { parts, to: "staging" };
      return sites.server.app.inject({ method: "POST", url: `${url}/${backup?.name}/restore`, headers: as, payload });
    };
    await run("update_option('blogname', 'Guardado');");
    await write("saved");
    const row = await findWordPress(sites.server.db, bea.id);
    if (!row) throw new Error("no site");
    await backUp(sites.server.wordpress, siteOf(sites.server.wordpress, row));
    await run("update_option('blogname', 'Ahora');");
    await write("now");
    for (const [parts, expected] of [
      ["all", ["Guardado", "saved"]],
      ...(isFast ? [["files", ["Ahora", "saved"]] as const, ["database", ["Guardado", "now"]] as const] : []),
    ] as const) {
      expect((await restoreTo(parts)).statusCode).toBe(202);
      expect((await project()).work).toMatchObject({ kind: "copy" });
      await jobs.work();
      expect([parts, await title(host), await file(host)]).toEqual([parts, ...expected]);
      expect([await title(own), await file(own)]).toEqual(["Ahora", "now"]);
    }
    const key = "echo AUTH_KEY;";
    expect(await run(key, host)).not.toBe(await run(key));
    // The rest of this file goes on with what it had.
    await run("update_option('blogname', 'Otra vez');");
    await write("live");
  });

  test.runIf(isFast)("survives interrupted copies and pushes", async () => {
    const { runtime: wordpress } = sites.server.wordpress;
    const { restore } = wordpress;
    onTestFinished(() => {
      wordpress.restore = restore;
    });
    const breakOnce = () => {
      wordpress.restore = async (site, backup) => {
        wordpress.restore = restore;
        await restore.call(wordpress, site, backup);
        throw new Error("killed");
      };
    };
    await run("update_option('blogname', 'Antes');");
    await call("POST");
    breakOnce();
    await expect(jobs.work()).rejects.toThrow("killed");
    await jobs.work(2);
    expect([await title(own), await title(host)]).toEqual(["Antes", "Antes"]);

    await run("update_option('blogname', 'Después');", host);
    await call("POST", "/push", { parts: "all" });
    breakOnce();
    await expect(jobs.work(3)).rejects.toThrow("killed");
    expect((await project()).work).toMatchObject({ kind: "push", has_failed: true });
    expect(await title(own)).toBe("Antes");
    await call("POST", "/push", { parts: "all" });
    await jobs.work();
    expect(await title(own)).toBe("Después");
  });

  test("is suspended with its site, deleted by its owner, and gone with the project", async () => {
    const { db, wordpress } = sites.server;
    const forget = async () => sites.server.live.forget(bea.userId);
    await make();
    const first = await findStaging(db, bea.id);
    const statuses = async () => [(await project()).status, (await findStaging(db, bea.id))?.status];
    await db.transaction((tx) => suspendProject(tx, bea.id));
    expect(await statuses()).toEqual(["suspended", "suspended"]);
    expect((await db.transaction((tx) => resumeProjectOf(tx, first?.subId ?? "")))?.id).toBe(bea.id);
    expect(await statuses()).toEqual(["active", "active"]);
    expect((await call("DELETE")).statusCode).toBe(200);
    expect((await project()).staging).toBeUndefined();
    expect((await call("DELETE")).json()).toMatchObject({ error: "error_staging_not_found" });
    expect((await call("POST", "/push", { parts: "all" })).json()).toMatchObject({ error: "error_staging_not_found" });
    const removals = async () =>
      (await db.execute(sql`select payload from graphile_worker._private_jobs where key like 'removeFiles:%'`)).rows;
    expect(await removals()).toContainEqual({ payload: { projectId: first?.id } });
    await wordpress.runtime.remove(first?.id ?? "");

    await make();
    const second = await findStaging(db, bea.id);
    expect(second?.id).not.toBe(first?.id);
    await db.execute(sql`update projects set archived_at = now() where id = ${bea.id}`);
    await forget();
    expect((await bea.askAt(host, "/")).status).toBe(404);
    await archiveSite(wordpress, bea.id);
    expect(await findStaging(db, bea.id)).toBeUndefined();
    expect(await removals()).toContainEqual({ payload: { projectId: second?.id } });
    await wordpress.runtime.remove(second?.id ?? "");
  });

  test("exists only from the pro plan on, and for no stranger", async () => {
    const ana = await sites.open("anasite");
    const stranger = await signIn(sites.server, "anasite@example.com");
    expect((await call("POST", "", undefined, stranger, ana.id)).json()).toMatchObject({ error: "error_staging_plan" });
    for (const path of ["", "/push"])
      expect((await call("POST", path, { parts: "all" }, stranger)).statusCode).toBe(404);
    expect((await call("DELETE", "", undefined, stranger)).statusCode).toBe(404);
    await sites.server.wordpress.runtime.remove(ana.id);
  });
});
