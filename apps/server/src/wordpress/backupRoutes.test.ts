import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { CustomerState, SiteBackups } from "@nido/contract";
import { signIn } from "@nido/test-kit/app";
import { testLong } from "@nido/test-kit/long";
import { openSiteJobs } from "@nido/test-kit/siteJobs";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { backups, wordpressSites } from "../db/schema.ts";
import { findWordPress } from "./queries.ts";
import { backUp, backUpSite } from "./upkeep/backups.ts";
import { siteOf } from "./WordPress.ts";
import { failAllVanishedWork } from "./work.ts";

let sites: Sites;
let ana: TestSite;
let headers: Record<string, string>;
let jobs: ReturnType<typeof openSiteJobs>;
const undos: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sites = await openSites((undo) => undos.unshift(undo));
  ana = await sites.open("anasite");
  headers = await signIn(sites.server, "anasite@example.com");
  jobs = openSiteJobs(sites, (undo) => undos.unshift(undo));
});
afterAll(async () => {
  for (const undo of undos) await undo();
});
beforeEach(async () => {
  const { db, wordpress } = sites.server;
  for (const name of await wordpress.backups.list(ana.id)) await wordpress.backups.remove(ana.id, name);
  await db.execute(sql`delete from backups`);
  await db.execute(sql`update wordpress_sites set work = null`);
  await jobs.forget();
  await db.execute(sql`delete from attempts`);
});

const work = (attempt?: number) => jobs.work(attempt);
const call = (method: "GET" | "POST", path: string, payload?: object, as = headers) =>
  sites.server.app.inject({
    method,
    url: `/api/projects/${ana.id}/backups${path}`,
    headers: as,
    ...(payload && { payload }),
  });
const list = async () => (await call("GET", "")).json() as SiteBackups;
const stateOf = async () => (await sites.server.app.inject({ url: "/redux", headers })).json() as CustomerState;
async function workOf() {
  sites.server.live.forget(ana.userId);
  return (await stateOf()).projects[ana.id]?.work;
}
const act = async (type: string, payload: object) =>
  (await sites.server.app.inject({ method: "POST", url: "/redux", headers, payload: { type, payload } })).statusCode;
const rename = (title: string) =>
  ana
    .addProgram(
      `rename${Math.random().toString(36).slice(2)}.php`,
      `require '/wordpress/wp-load.php'; wp_set_current_user(1); update_option('blogname', '${title}');`,
    )
    .then((path) => ana.ask(path));
const title = async () => /<title>([^&<]*)/.exec((await ana.ask("/")).text)?.[1]?.trim();

/** Until the test ends, restores fail after the site was replaced by half of it. */
function breakRestores(times: number) {
  const { runtime } = sites.server.wordpress;
  const { restore } = runtime;
  let left = times;
  runtime.restore = async (site, backup) => {
    if (left-- <= 0) return restore.call(runtime, site, backup);
    await runtime.stopSite(site.id);
    rmSync(join(ana.folder.content, "uploads"), { recursive: true, force: true });
    throw new Error("killed");
  };
  onTestFinished(() => {
    runtime.restore = restore;
  });
}

test("the owner makes a backup with a note, restores it, and undoes that", async () => {
  await rename("Antes");
  expect((await call("POST", "", { note: "  antes del cambio " })).statusCode).toBe(202);
  expect(await workOf()).toEqual({ kind: "backup", progress: 0 });
  expect((await call("POST", "", { note: "" })).json()).toMatchObject({ error: "error_site_busy" });
  await work();
  expect(await workOf()).toBeUndefined();
  const [made] = (await list()).backups;
  expect(made).toMatchObject({ reason: "manual", note: "antes del cambio", core: expect.stringMatching(/^\d/) });
  expect(made?.size).toBeGreaterThan(10_000);

  await rename("Después");
  writeFileSync(join(ana.folder.content, "uploads/new.txt"), "new");
  expect((await call("POST", `/${made?.name}/restore`, {})).statusCode).toBe(202);
  expect(await workOf()).toEqual({ kind: "restore", progress: 0 });
  expect((await call("POST", `/${made?.name}/restore`, {})).json()).toMatchObject({ error: "error_site_busy" });
  await work();
  expect(await workOf()).toBeUndefined();
  expect(await title()).toBe("Antes");
  expect((await ana.ask("/wp-content/uploads/new.txt")).status).toBe(404);
  expect((await list()).backups.map(({ reason }) => reason)).toEqual(["restore", "manual"]);

  const { activity } = await stateOf();
  expect(await act("UNDO", { activity_id: activity })).toBe(200);
  const { run } = await work();
  expect(await title()).toBe("Después");
  expect((await ana.ask("/wp-content/uploads/new.txt")).text).toBe("new");

  // A worker that died before its job was marked as done does nothing more.
  await rename("Más tarde");
  const count = (await list()).backups.length;
  await run();
  expect(await title()).toBe("Más tarde");
  expect((await list()).backups).toHaveLength(count);
});

test.each(["files", "database"] as const)("only the %s of a backup are restored, and the rest stays", async (parts) => {
  const { wordpress } = sites.server;
  const file = join(ana.folder.content, "uploads/part.txt");
  await rename("Antes");
  writeFileSync(file, "before");
  await backUpSite(wordpress, ana.id);
  const [backup] = (await list()).backups;
  await rename("Ahora");
  writeFileSync(file, "now");
  expect((await call("POST", `/${backup?.name}/restore`, { parts })).statusCode).toBe(202);
  await work();
  const isFiles = parts === "files";
  expect(await title()).toBe(isFiles ? "Ahora" : "Antes");
  expect((await ana.ask("/wp-content/uploads/part.txt")).text).toBe(isFiles ? "before" : "now");
  expect((await list()).backups).toHaveLength(2);
  expect((await call("POST", `/${backup?.name}/restore`, { parts: "nothing" })).statusCode).toBe(400);
});

test("a backup that has failed for good is shown, and the owner can try again", async () => {
  const { db, wordpress } = sites.server;
  const { pack } = wordpress.runtime;
  wordpress.runtime.pack = async () => {
    throw new Error("no room");
  };
  onTestFinished(() => {
    wordpress.runtime.pack = pack;
  });
  await call("POST", "", { note: "" });
  await expect(work(2)).rejects.toThrow("no room");
  expect(await workOf()).toEqual({ kind: "backup", progress: 0 });
  await expect(work(3)).rejects.toThrow("no room");
  expect(await workOf()).toEqual({ kind: "backup", progress: 0, has_failed: true });
  expect((await call("POST", "", { note: "" })).statusCode).toBe(202);

  // If a worker vanished for good, its job is gone, too. Whoever opens the list sees that.
  await db.execute(sql`delete from graphile_worker._private_jobs where key like 'makeBackup:%'`);
  await list();
  expect(await workOf()).toEqual({ kind: "backup", progress: 0, has_failed: true });
  // And if nobody opens it, the sweeper does.
  await call("POST", "", { note: "" });
  await db.execute(sql`delete from graphile_worker._private_jobs where key like 'makeBackup:%'`);
  await failAllVanishedWork(db);
  expect(await workOf()).toEqual({ kind: "backup", progress: 0, has_failed: true });
  wordpress.runtime.pack = pack;
  await backUpSite(wordpress, ana.id);
  expect(await workOf()).toBeUndefined();
});

testLong(
  "a restore that begins again keeps the first attempt's backup, of the whole site, for undoing it",
  async () => {
    const { wordpress } = sites.server;
    await rename("Entero");
    await backUpSite(wordpress, ana.id);
    const [backup] = (await list()).backups;
    await rename("Cambiado");
    writeFileSync(join(ana.folder.content, "uploads/kept.txt"), "kept");
    await call("POST", `/${backup?.name}/restore`, {});
    breakRestores(1);
    await expect(work()).rejects.toThrow("killed");
    expect(await workOf()).toEqual({ kind: "restore", progress: 0.5 });
    await work(2);
    expect(await title()).toBe("Entero");
    expect(await act("UNDO", { activity_id: (await stateOf()).activity })).toBe(200);
    await work();
    expect(await title()).toBe("Cambiado");
    expect((await ana.ask("/wp-content/uploads/kept.txt")).text).toBe("kept");
  },
);

test("after the last attempt, the site is as it was before the restore", async () => {
  const { wordpress } = sites.server;
  await backUpSite(wordpress, ana.id);
  const [backup] = (await list()).backups;
  await rename("Sin cambios");
  mkdirSync(join(ana.folder.content, "uploads"), { recursive: true });
  writeFileSync(join(ana.folder.content, "uploads/kept.txt"), "kept");
  await call("POST", `/${backup?.name}/restore`, {});
  breakRestores(1);
  await expect(work(3)).rejects.toThrow("killed");
  expect(await workOf()).toMatchObject({ kind: "restore", has_failed: true });
  expect(await title()).toBe("Sin cambios");
  expect((await ana.ask("/wp-content/uploads/kept.txt")).text).toBe("kept");
});

test("a restore that waits does not bring a deleted project back", async () => {
  const { wordpress, db } = sites.server;
  await backUpSite(wordpress, ana.id);
  const [backup] = (await list()).backups;
  await call("POST", `/${backup?.name}/restore`, {});
  await db.execute(sql`update projects set archived_at = now() where id = ${ana.id}`);
  await work();
  const row = await findWordPress(db, ana.id);
  expect(row?.archivedAt).toBeInstanceOf(Date);
  await db.execute(sql`update projects set archived_at = null where id = ${ana.id}`);
  expect(await workOf()).toBeUndefined();
});

test("a restore reports its progress every two seconds at most", async () => {
  const { wordpress, db } = sites.server;
  await backUpSite(wordpress, ana.id);
  const [backup] = (await list()).backups;
  const { pack } = wordpress.runtime;
  wordpress.runtime.pack = async (site, signal) => {
    async function* inBits() {
      for await (const chunk of await pack.call(wordpress.runtime, site, signal))
        for (let at = 0; at < chunk.length; at += 500) yield chunk.subarray(at, at + 500);
    }
    return Readable.from(inBits());
  };
  onTestFinished(() => {
    wordpress.runtime.pack = pack;
  });
  await call("POST", `/${backup?.name}/restore`, {});
  const revision = async () =>
    Number((await db.execute(sql`select rev from users where id = ${ana.userId}`)).rows[0]?.["rev"]);
  const [before, start] = [await revision(), Date.now()];
  await work();
  const reports = (Date.now() - start) / 2000;
  expect((await revision()) - before).toBeLessThan(reports + 20);
});

test("each kind of backup has its own limit, and backups for undoing end after a week", async () => {
  const { wordpress, db } = sites.server;
  const row = await findWordPress(db, ana.id);
  if (!row) throw new Error("the site is gone");
  const site = siteOf(wordpress, row);
  expect((await list()).kept).toEqual({ nightly: 7, manual: 5 });
  const { pack } = wordpress.runtime;
  wordpress.runtime.pack = async () => Readable.from([Buffer.from("x")]);
  onTestFinished(() => {
    wordpress.runtime.pack = pack;
  });
  const old = `${new Date(Date.now() - 8 * 86_400_000).toISOString().replace(/[:.]/g, "-")}.tar.gz`;
  mkdirSync(join(sites.folder, "backups", ana.id), { recursive: true });
  writeFileSync(join(sites.folder, "backups", ana.id, old), "old");
  await db.insert(backups).values({ projectId: ana.id, name: old, reason: "update", note: "", size: 3, core: "6.8" });
  expect((await list()).backups.map(({ name }) => name)).toEqual([old]);
  for (let round = 0; round < 9; round++) await backUp(wordpress, site);
  expect((await list()).backups.map(({ name }) => name)).not.toContain(old);
  for (let round = 0; round < 7; round++) await backUp(wordpress, site, { reason: "manual" });
  for (let round = 0; round < 12; round++) await backUp(wordpress, site, { reason: "update" });
  const count = async (reason: string) => (await list()).backups.filter((backup) => backup.reason === reason).length;
  expect([await count("nightly"), await count("manual"), await count("update")]).toEqual([7, 5, 10]);
  expect(await db.$count(backups)).toBe(22);

  // One that is being restored is kept, and those that an owner causes may occupy twice the plan's disk.
  const [, oldest] = (await list()).backups.filter(({ reason }) => reason === "manual").toReversed();
  await db.execute(sql`update backups set size = 16e9 where reason = 'manual'`);
  const work = { id: "1", kind: "restore", progress: 0, backup: oldest?.name ?? "" } as const;
  await db.update(wordpressSites).set({ work });
  await backUp(wordpress, site);
  const left = (await list()).backups.filter(({ reason }) => reason === "manual");
  expect(left).toHaveLength(2);
  expect(left.map(({ name }) => name)).toContain(oldest?.name);
});

test("a backup that the owner makes does not replace the next night's", async () => {
  const { wordpress, db } = sites.server;
  await db.execute(sql`update wordpress_sites set backed_up_at = now() - interval '1 day', active_at = now()`);
  await call("POST", "", { note: "" });
  await work();
  sites.server.live.forget(ana.userId);
  const { backed_up_at: at = "" } = (await stateOf()).projects[ana.id] ?? {};
  expect(Date.now() - Date.parse(at)).toBeLessThan(600_000);
  await backUpSite(wordpress, ana.id, true);
  expect((await list()).backups.map(({ reason }) => reason)).toEqual(["nightly", "manual"]);
});

test("a backup is downloaded with a recent proof only, and only by its owner", async () => {
  const { wordpress, db } = sites.server;
  await backUpSite(wordpress, ana.id);
  const [backup] = (await list()).backups;
  const path = `/${backup?.name}`;
  const file = await call("GET", path);
  expect(file.statusCode).toBe(200);
  expect(file.headers["content-disposition"]).toBe(`attachment; filename="anasite-${backup?.name}"`);
  expect(file.rawPayload.length).toBe(backup?.size);
  expect(file.rawPayload.subarray(0, 2).toString("hex")).toBe("1f8b");
  const { rows } = await db.$client.query("select actor, params from activity where kind = 'backupDownloaded'");
  const date = backup?.created_at;
  expect(rows).toMatchObject([{ actor: { kind: "session" }, params: { project: "anasite", date } }]);

  await sites.open("evasite");
  const stranger = await signIn(sites.server, "evasite@example.com");
  for (const [method, at, body] of [
    ["GET", ""],
    ["GET", path],
    ["POST", path],
    ["POST", `${path}/restore`, {}],
    ["POST", "", { note: "" }],
  ] as [method: "GET" | "POST", path: string, body?: object][])
    expect((await call(method, at, body, stranger)).statusCode, at).toBe(404);
  for (const name of ["nothing", "..%2f..%2fsite.json", "2026-01-01T00-00-00-000Z.tar.gz"])
    expect((await call("GET", `/${name}`)).statusCode, name).toBe(404);
  expect((await call("POST", "", { note: "x".repeat(101) })).statusCode).toBe(400);

  const old = await signIn(sites.server, "anasite@example.com");
  await db.execute(sql`update sessions set proven_at = now() - interval '1 hour'`);
  for (const method of ["GET", "POST"] as const)
    expect((await call(method, path, undefined, old)).json()).toMatchObject({ error: "error_proof_needed" });
});
