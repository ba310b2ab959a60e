import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CustomerState, SiteBackups } from "@nido/contract";
import { signIn } from "@nido/test-kit/app";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { customer } from "../activity/record.ts";
import { restoreSite } from "./lifecycle/restoreSite.ts";
import { findWordPress } from "./queries.ts";
import { backUp, backUpSite, makeBackup } from "./upkeep/backups.ts";
import { siteOf } from "./WordPress.ts";
import { reportFailedWork } from "./work.ts";

let sites: Sites;
let ana: TestSite;
let headers: Record<string, string>;
const undos: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sites = await openSites((undo) => undos.unshift(undo));
  ana = await sites.open("anasite");
  headers = await signIn(sites.server, "anasite@example.com");
});
afterAll(async () => {
  for (const undo of undos) await undo();
});
beforeEach(async () => {
  const { db, wordpress } = sites.server;
  for (const name of await wordpress.backups.list(ana.id)) await wordpress.backups.remove(ana.id, name);
  await db.execute(sql`delete from backups`);
  await db.execute(sql`update wordpress_sites set work = null`);
  await db.execute(sql`delete from graphile_worker._private_jobs where key ~ '^(makeBackup|restoreSite):'`);
});

const call = (method: "GET" | "POST", path: string, payload?: object, as = headers) =>
  sites.server.app.inject({
    method,
    url: `/api/projects/${ana.id}/backups${path}`,
    headers: as,
    ...(payload && { payload }),
  });
const list = async () => (await call("GET", "")).json() as SiteBackups;
const stateOf = async () => (await sites.server.app.inject({ url: "/redux", headers })).json() as CustomerState;
const workOf = async () => (await stateOf()).projects[ana.id]?.work;
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

/** Runs the job that waits, as a worker would. */
async function work() {
  const { db, wordpress } = sites.server;
  const { rows } = await db.execute<{ key: string; payload: { note: string; backup: string; isByOwner?: boolean } }>(
    sql`delete from graphile_worker._private_jobs where key ~ '^(makeBackup|restoreSite):' returning key, payload`,
  );
  expect(rows).toHaveLength(1);
  const [{ key = "", payload = { note: "", backup: "" } } = {}] = rows;
  if (key.startsWith("makeBackup")) await makeBackup(wordpress, ana.id, payload.note, customer);
  else await restoreSite(wordpress, ana.id, payload);
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
  await work();
  expect(await title()).toBe("Después");
  expect((await ana.ask("/wp-content/uploads/new.txt")).text).toBe("new");
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

test("a job that has failed for good is shown, and the owner can try again", async () => {
  const { db } = sites.server;
  await call("POST", "", { note: "" });
  await db.execute(sql`delete from graphile_worker._private_jobs where key like 'makeBackup:%'`);
  await reportFailedWork(db, await findWordPress(db, ana.id));
  expect(await workOf()).toEqual({ kind: "backup", progress: 0, has_failed: true });
  expect((await call("POST", "", { note: "" })).statusCode).toBe(202);
  // If a worker vanished for good, its job is gone, too, and nobody has to wait for it.
  await db.execute(sql`delete from graphile_worker._private_jobs where key like 'makeBackup:%'`);
  expect((await call("POST", "", { note: "" })).statusCode).toBe(202);
});

test("a restore that begins again keeps the first attempt's backup for undoing it", async () => {
  const { wordpress, db } = sites.server;
  await rename("Entero");
  await backUpSite(wordpress, ana.id);
  const [backup] = (await list()).backups;
  await rename("Cambiado");
  await call("POST", `/${backup?.name}/restore`, {});
  const request = { backup: backup?.name ?? "", isByOwner: true };
  const { restore } = wordpress.runtime;
  wordpress.runtime.restore = async () => {
    throw new Error("killed");
  };
  await expect(restoreSite(wordpress, ana.id, request)).rejects.toThrow("killed");
  wordpress.runtime.restore = restore;
  expect(await workOf()).toMatchObject({ kind: "restore", progress: 0.5 });
  await restoreSite(wordpress, ana.id, { ...request, isRetry: true });
  expect(await title()).toBe("Entero");
  await db.execute(sql`delete from graphile_worker._private_jobs where key like 'restoreSite:%'`);
  expect(await act("UNDO", { activity_id: (await stateOf()).activity })).toBe(200);
  await work();
  expect(await title()).toBe("Cambiado");
});

test("each kind of backup has its own limit, and backups for undoing end after a week", async () => {
  const { wordpress } = sites.server;
  const row = await findWordPress(sites.server.db, ana.id);
  if (!row) throw new Error("the site is gone");
  const site = siteOf(wordpress, row);
  const { kept } = await list();
  expect(kept).toEqual({ nightly: 7, manual: 5 });
  const { pack } = wordpress.runtime;
  const { Readable } = await import("node:stream");
  wordpress.runtime.pack = async () => Readable.from([Buffer.from("x")]);
  try {
    for (let round = 0; round < 9; round++) await backUp(wordpress, site);
    for (let round = 0; round < 7; round++) await backUp(wordpress, site, { reason: "manual" });
    for (let round = 0; round < 12; round++) await backUp(wordpress, site, { reason: "update" });
  } finally {
    wordpress.runtime.pack = pack;
  }
  const { backups } = await list();
  const count = (reason: string) => backups.filter((backup) => backup.reason === reason).length;
  expect([count("nightly"), count("manual"), count("update")]).toEqual([7, 5, 10]);
  const { rows } = await sites.server.db.execute(sql`select count(*)::int from backups`);
  expect(rows[0]).toEqual({ count: 22 });
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
