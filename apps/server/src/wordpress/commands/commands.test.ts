import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { CommandEvent } from "@nido/contract";
import { createCustomer, signIn } from "@nido/test-kit/app";
import { testLong } from "@nido/test-kit/long";
import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { openSiteJobs } from "@nido/test-kit/siteJobs";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SessionLocks } from "../../db/SessionLocks.ts";
import { findGeneration } from "../dueSites.ts";
import { siteLock } from "../siteLock.ts";

describe.each(testedRuntimes("commands of WP-CLI"))("WP-CLI on the %s runtime", (runtime) => {
  let sites: Sites;
  let ana: TestSite;
  let headers: Record<string, string>;
  let jobs: ReturnType<typeof openSiteJobs>;
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
    sites = await openSites(whenDone, await settingsOf(runtime, whenDone));
    ana = await sites.open("anasite", "wordpress_pro");
    headers = await signIn(sites.server, "anasite@example.com");
    jobs = openSiteJobs(sites, whenDone);
  });
  afterAll(async () => {
    if (ana) await sites.server.wordpress.runtime.remove(ana.id);
    for (const undo of undos) await undo();
  });
  beforeEach(() => sites.server.db.execute(sql`delete from attempts`));

  // Without `async`, the request would not start before somebody waits for it.
  const send = async (args: string[], more: object = {}, as = headers) =>
    sites.server.app.inject({
      method: "POST",
      url: `/api/projects/${ana.id}/cli`,
      headers: as,
      payload: { args, ...more },
    });
  async function wp(...args: string[]) {
    const answer = await send(args);
    expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
    return collect(answer.body);
  }
  const collect = (body: string) => {
    const events = body
      .split("\n")
      .filter(Boolean)
      .map((line): CommandEvent => JSON.parse(line));
    const textOf = (kind: "out" | "err") =>
      events.map((event) => (event as Record<string, string>)[kind] ?? "").join("");
    return {
      out: textOf("out"),
      err: textOf("err"),
      exit: (events.at(-1) as { exit?: number } | undefined)?.exit,
      events,
    };
  };

  test("lists, changes and reports as on a command line", async () => {
    expect(await wp("option", "get", "blogname")).toMatchObject({ out: "anasite\n", err: "", exit: 0 });
    expect(await wp("option", "update", "blogdescription", "Línea «nueva» \\ 'y' \"así\"")).toMatchObject({ exit: 0 });
    expect((await wp("option", "get", "blogdescription")).out).toContain("Línea");
    expect((await ana.ask("/")).text).toContain("Línea");
    const { out } = await wp("plugin", "list", "--format=json");
    expect(JSON.parse(out)).toEqual(expect.any(Array));
    const missing = await wp("option", "get", "there_is_no_such_option");
    expect(missing).toMatchObject({ out: "", exit: 1 });
    expect(missing.err).toContain("Error: Could not get");
    expect((await wp("help", "plugin")).out).toContain("wp plugin");
    expect((await wp("user", "list", "--field=user_login")).out.trim().split("\n")).toHaveLength(1);
    expect((await wp("plugin", "is-active", "nothing")).exit).toBe(1);
    expect((await wp("cron", "event", "list", "--format=count")).exit).toBe(0);
    expect((await wp("db", "tables")).out).toContain("wp_posts");
    expect((await wp("core", "version")).out).toMatch(/^\d+\.\d+/);
  });

  test("what exits by itself, warns or dies has the status of a command line", async () => {
    await wp("post", "create", "--post_title=Borrador", "--porcelain");
    const [id] = (await wp("post", "list", "--post_status=draft", "--field=ID")).out.split("\n");
    expect(await wp("post", "delete", String(id))).toMatchObject({ exit: 0 });
    expect(await wp("post", "delete", "999999")).toMatchObject({ exit: 1, err: expect.stringContaining("Warning") });
    await program("if (defined('WP_CLI')) WP_CLI::warning('careful');");
    expect(await wp("plugin", "activate", "probe")).toMatchObject({ exit: 0 });
    expect(await wp("option", "get", "home")).toMatchObject({ exit: 0, err: "Warning: careful\n" });
    await program("no_such_function();");
    expect((await wp("option", "get", "home")).exit).toBe(255);
    expect(await wp("option", "get", "blogname", "--skip-plugins")).toMatchObject({ out: "anasite\n", exit: 0 });
    await program("echo 'ñ'; ob_end_flush(); echo 'past';");
    expect(await wp("option", "get", "blogname")).toMatchObject({ out: expect.stringContaining("past"), exit: 0 });
    expect((await wp("plugin", "deactivate", "probe", "--skip-plugins")).exit).toBe(0);
  });

  test("other commands, other WordPresses and other customers are refused", async () => {
    for (const args of [
      ["eval", "echo 1;"],
      ["option", "get", "home", "--path=/tmp"],
      ["", "option", "get"],
    ])
      expect((await send(args)).json()).toEqual({ error: "error_command_refused" });
    for (const payload of [[], ["option", "get\n"], ["option", "x".repeat(20_000)]])
      expect((await send(payload)).statusCode).toBe(400);
    await sites.server.db.execute(sql`delete from attempts`);
    expect((await send(["option", "list"], { staging: true })).json()).toEqual({ error: "error_staging_not_found" });
    await createCustomer(sites.server, "bea@example.com");
    const stranger = await signIn(sites.server, "bea@example.com");
    expect((await send(["option", "list"], {}, stranger)).json()).toEqual({ error: "error_project_not_found" });
  });

  test("a backup precedes what changes much; without it, nothing happens; secrets are not in the activity log", async () => {
    await wp("post", "create", "--post_title=Sustituible", "--post_status=publish");
    expect((await wp("search-replace", "Sustituible", "Nuevo", "--dry-run")).events[0]).not.toHaveProperty("backup");

    const replaced = send(["search-replace", "Sustituible", "Sustituido"]);
    await eventually(() => jobs.work());
    const { events, exit, out } = collect((await replaced).body);
    expect([events[0], exit]).toEqual([{ backup: expect.any(Number) }, 0]);
    expect(out).toMatch(/Success: Made \d+ replacement/);
    expect((await wp("post", "list", "--field=post_title")).out).toContain("Sustituido");
    const { backups } = (await call("backups")).json();
    expect(backups[0]).toMatchObject({ reason: "command", note: "wp search-replace" });

    const { entries } = (await sites.server.app.inject({ url: "/api/activity", headers })).json();
    expect(entries[0]).toMatchObject({ kind: "commandRun", params: { command: "search-replace" }, undo: "free" });
    const undo = { type: "UNDO", payload: { activity_id: entries[0].id } };
    const undone = await sites.server.app.inject({ method: "POST", url: "/redux", headers, payload: undo });
    expect(undone.statusCode).toBe(200);
    await jobs.work();
    expect((await wp("post", "list", "--field=post_title")).out).toContain("Sustituible");

    const failing = send(["search-replace", "Sustituible", "Perdido"]);
    await eventually(async () => {
      const { rows } = await sites.server.db.execute(
        sql`update wordpress_sites set work = work || '{"has_failed": true}' where work is not null returning 1`,
      );
      expect(rows).toHaveLength(1);
    });
    expect(collect((await failing).body).events.at(-1)).toEqual({ error: "error_command_no_backup" });
    await jobs.forget();
    expect((await wp("post", "list", "--field=post_title")).out).toContain("Sustituible");

    await wp("user", "update", "1", "--user_pass=hunter2hunter2");
    const log = JSON.stringify((await sites.server.app.inject({ url: "/api/activity", headers })).json());
    expect(log).toContain("search-replace");
    expect(log).toContain("user update");
    expect(log).not.toContain("hunter2");
    expect(log).not.toContain("post list");
  });

  test("one at a time, not during other work, and it ends when nobody reads on", async () => {
    const both = await Promise.all([send(["cron", "event", "list"]), send(["cron", "event", "list"])]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    await call("backups", { note: "" });
    expect((await send(["cache", "flush"])).json()).toEqual({ error: "error_site_busy" });
    expect((await send(["option", "get", "home"])).statusCode).toBe(200);
    await jobs.work();

    await program("if ('spin' === ($GLOBALS['argv'][3] ?? '')) for (;;) { echo 'tick '; usleep(50000); }");
    expect((await wp("plugin", "activate", "probe")).exit).toBe(0);
    const [answer] = (await once(start("option", "get", "spin"), "response")) as [IncomingMessage];
    const [chunk] = await once(answer, "data");
    expect(String(chunk)).toContain("tick");
    answer.destroy();
    await untilFree();
  });

  test("whoever leaves while the backup is made, or while the command is silent, stops it", async () => {
    await wp("option", "update", "blogdescription", "Sustituible");
    const replacing = start("search-replace", "Sustituible", "Perdido");
    const [answer] = (await once(replacing, "response")) as [IncomingMessage];
    await once(answer, "data");
    answer.destroy();
    await eventually(() => jobs.work());
    await untilFree();
    expect((await wp("option", "get", "blogdescription")).out).toBe("Sustituible\n");

    await program("if ('spin' === ($GLOBALS['argv'][3] ?? '')) for (touch(WP_CONTENT_DIR . '/spins');;);");
    const spinning = start("option", "get", "spin");
    await eventually(() => expect(existsSync(join(ana.folder.content, "spins"))).toBe(true));
    spinning.destroy();
    await untilFree();
  });

  test("while a command may change the site, nobody else does; afterwards kept pages are dropped", async () => {
    const generation = async () => findGeneration(sites.server.db, ana.id);
    const before = await generation();
    await program("if ('spin' === ($GLOBALS['argv'][3] ?? '')) for (touch(WP_CONTENT_DIR . '/held');;);");
    const spinning = start("option", "delete", "spin");
    await eventually(() => expect(existsSync(join(ana.folder.content, "held"))).toBe(true));
    const locks = new SessionLocks(sites.server.databaseUrl, 1, () => undefined);
    const nightly = locks.run(siteLock(ana.id), async () => "packed");
    expect(await Promise.race([nightly, pause(300, "waits")])).toBe("waits");
    spinning.destroy();
    expect(await nightly).toBe("packed");
    locks.stop();
    await program("");
    expect(await generation()).toBeGreaterThan(before ?? Infinity);
  });

  testLong("endless output, lines and pieces of no line end the command, not the server", async () => {
    for (const endless of [
      "ob_end_flush(); for (;;) echo str_repeat('x', 100000);",
      'ob_end_flush(); for (;;) echo "\\n";',
      "for (;;) fwrite(STDOUT, str_repeat('y', 100000));",
    ]) {
      await program(`if ('spin' === ($GLOBALS['argv'][3] ?? '')) { ${endless} }`);
      // It may end so early that there is no answer at all.
      const { statusCode, body } = await send(["option", "get", "spin"]);
      if (statusCode === 200) expect(collect(body).exit).toBeUndefined();
      else expect(JSON.parse(body)).toEqual({ error: "error_wordpress_silent" });
      await untilFree();
    }
    await program("");
  });

  async function program(code: string) {
    writeFileSync(join(ana.folder.content, "plugins/probe.php"), `<?php\n/* Plugin Name: Probe */\n${code}`);
    await pause(3500); // PHP looks for changed files every two seconds, counted in whole ones
  }

  /** Begins a command whose answer somebody may stop reading. */
  function start(...args: string[]) {
    const [hostname, port] = sites.address.split(":");
    const path = `/api/projects/${ana.id}/cli`;
    const own = { ...headers, host: "localhost:3000", "content-type": "application/json" };
    const begun = request({ hostname, port, path, method: "POST", headers: own, agent: false });
    begun.on("error", () => undefined);
    begun.end(JSON.stringify({ args }));
    return begun;
  }

  const untilFree = () =>
    eventually(async () => {
      await sites.server.db.execute(sql`delete from attempts`);
      expect((await send(["option", "get", "home", "--skip-plugins"])).statusCode).toBe(200);
    });

  const call = (path: string, payload?: object) =>
    sites.server.app.inject({
      method: payload ? "POST" : "GET",
      url: `/api/projects/${ana.id}/${path}`,
      headers,
      ...(payload && { payload }),
    });
});
