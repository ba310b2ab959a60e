import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { findWordPress } from "../queries.ts";
import { siteFolder } from "../siteFolder.ts";
import type { RuntimeName, WordPressRuntime } from "../WordPressRuntime.ts";
import { transferSite } from "./transferSite.ts";

// Two machines with the embedded runtime. The first product knows the second one's runtime by another name.
let sites: Sites;
let there: WordPressRuntime;
let folderThere: string;
let site: TestSite;
let count = 0;
const undos: (() => Promise<void>)[] = [];
const whenDone = (undo: () => Promise<void>) => void undos.unshift(undo);

beforeAll(async () => {
  sites = await openSites(whenDone);
  const other = await openSites(whenDone);
  folderThere = other.folder;
  there = Object.assign(other.server.wordpress.runtime, { name: "kubernetes" as never });
  sites.server.wordpress.runtimes.push(there);
});

beforeEach(async () => {
  site = await sites.open(`anasite${count++}`);
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  for (const undo of undos) await undo();
});

const transfer = (to: RuntimeName) => transferSite(sites.server.wordpress, site.id, to, (work) => work());
const move = () => transfer("kubernetes");
const findRow = () => findWordPress(sites.server.db, site.id);
const isThere = () => existsSync(siteFolder(folderThere, site.id).root);
const isHere = () => existsSync(site.folder.root);

test("a site moves with its content, files and salts, and nothing is left behind", async () => {
  await site.addProgram(
    "write.php",
    'require "/wordpress/wp-load.php"; wp_set_current_user(1); update_option("blogname", "Mudanza"); foreach (["stylesheet_root", "template_root"] as $name) update_option($name, "/elsewhere/themes"); echo AUTH_KEY;',
  );
  const salt = (await site.ask("/wp-content/plugins/write.php")).text;
  writeFileSync(join(site.folder.content, "uploads/photo.txt"), "a photo");
  await move();
  expect(await findRow()).toMatchObject({ runtime: "kubernetes", isMoving: false });
  expect((await site.ask("/")).text).toContain("<title>Mudanza");
  expect((await site.ask("/wp-content/uploads/photo.txt")).text).toBe("a photo");
  expect((await site.ask("/wp-content/plugins/write.php")).text).toBe(salt);
  expect([isHere(), isThere()]).toEqual([false, true]);
});

test("while a site moves, PHP runs for no visitor, and cached pages and files are served", async () => {
  const headers = { "accept-encoding": "gzip" };
  await site.ask("/", { headers });
  await expect.poll(async () => (await site.ask("/", { headers })).headers["x-cache"]).toBe("hit");
  const gate = Promise.withResolvers<void>();
  const restore = there.restore.bind(there);
  vi.spyOn(there, "restore").mockImplementation(async (...args) => {
    await gate.promise;
    return restore(...args);
  });
  const moving = move();
  await expect.poll(async () => (await site.ask("/wp-login.php")).status).toBe(503);
  const refused = await site.ask("/", { form: { comment: "lost?" } });
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "30"]);
  const conditional = { ...headers, "if-none-match": '"other"' };
  for (const sent of [headers, conditional]) expect((await site.ask("/", { headers: sent })).status).toBe(200);
  expect((await site.ask("/wp-includes/css/buttons.css")).status).toBe(200);
  gate.resolve();
  await moving;
  expect((await site.ask("/wp-login.php")).status).toBe(200);
});

test("a site that cannot be restored there, or answers otherwise, stays where it was", async () => {
  vi.spyOn(there, "restore").mockRejectedValueOnce(new Error("the volume is full"));
  await expect(move()).rejects.toThrow("the volume is full");
  vi.spyOn(there, "answer").mockRejectedValue(new Error("no PHP there"));
  await expect(move()).rejects.toThrow("no PHP there");
  expect(await findRow()).toMatchObject({ runtime: "local", isMoving: false });
  expect([isHere(), isThere()]).toEqual([true, false]);
  expect((await site.ask("/wp-login.php")).status).toBe(200);
});

test("mail that waits is not lost: it is sent before the site moves, while nobody holds the site's lock", async () => {
  writeFileSync(join(site.folder.mail, "message.json"), "{}");
  let isLocked = false;
  const moving = transferSite(sites.server.wordpress, site.id, "kubernetes", async (work) => {
    isLocked = true;
    await work();
    isLocked = false;
  });
  await expect.poll(async () => (await findRow())?.isMoving).toBe(true);
  await expect.poll(() => isLocked).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect([isLocked, isThere()]).toEqual([false, false]);
  await sites.server.wordpress.runtime.removeMail(site.id, "message.json");
  await moving;
  expect(isThere()).toBe(true);
});

test("a site is not removed from either place if the answer to the switch is lost", async () => {
  const { db } = sites.server;
  const transaction = db.transaction;
  let count = 0;
  vi.spyOn(db, "transaction").mockImplementation(async (...args: Parameters<typeof transaction>) => {
    const result = await transaction(...args);
    // The second one of a move is the switch.
    if (++count === 2) throw new Error("the connection broke");
    return result;
  });
  await expect(move()).rejects.toThrow("the connection broke");
  expect(await findRow()).toMatchObject({ runtime: "kubernetes", isMoving: false });
  expect([isHere(), isThere()]).toEqual([true, true]);
  await move();
  expect([isHere(), isThere()]).toEqual([false, true]);
  expect((await site.ask("/")).status).toBe(200);
});

test("an operator who gives up a move that was interrupted gets the site back", async () => {
  await sites.server.db.execute(sql`update wordpress_sites set is_moving = true where project_id = ${site.id}`);
  await transfer("local");
  expect(await findRow()).toMatchObject({ runtime: "local", isMoving: false });
  expect(isHere()).toBe(true);
});

test("a move that is interrupted before the old files are removed is finished by the next attempt", async () => {
  vi.spyOn(sites.server.wordpress.runtime, "remove").mockRejectedValueOnce(new Error("killed"));
  await expect(move()).rejects.toThrow("killed");
  expect([isHere(), isThere()]).toEqual([true, true]);
  await move();
  expect([isHere(), isThere()]).toEqual([false, true]);
  expect((await site.ask("/")).status).toBe(200);
});
