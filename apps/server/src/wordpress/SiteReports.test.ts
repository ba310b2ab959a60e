import { listen, startApp } from "@nido/test-kit/app";
import { whileAway } from "@nido/test-kit/database";
import { ask, openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wordpressSites } from "../db/schema.ts";
import { claimCron, claimMail, postponeMail, recordReport } from "./dueSites.ts";

let sites: Sites;
let blog: TestSite;
/** the address of a second edge on the same database */
let second: string;
const undos: (() => Promise<void>)[] = [];
const whenDone = (undo: () => Promise<void>) => void undos.unshift(undo);

beforeAll(async () => {
  sites = await openSites(whenDone);
  const { databaseUrl } = sites.server;
  second = await listen(await startApp({ databaseUrl, env: { DATA_DIR: sites.folder }, whenDone }));
  blog = await sites.open("anasite");
});
afterAll(async () => {
  for (const undo of undos) await undo();
});

const askSecond = (path: string) => ask(second, "anasite.localhost:3000", path);

async function run(code: string) {
  const file = `probe/p${Math.random().toString(36).slice(2)}.php`;
  return blog.ask(await blog.addProgram(file, `require '/wordpress/wp-load.php'; wp_set_current_user(1); ${code}`));
}

async function row() {
  const [found] = await sites.server.db.select().from(wordpressSites).where(eq(wordpressSites.projectId, blog.id));
  if (!found) throw new Error("the site is gone");
  return found;
}

test("a change made through one edge is committed before it is answered, and seen by visitors of the other", async () => {
  for (let round = 0; round < 5; round++) {
    await eventually(async () => expect((await askSecond("/")).headers["x-cache"]).toBe("hit"));
    const { pagesGeneration } = await row();
    await run(`update_option('blogname', 'Ronda ${round}');`);
    expect((await row()).pagesGeneration).toBeGreaterThan(pagesGeneration);
    expect((await blog.ask("/")).text).toContain(`<title>Ronda ${round}`);
    await eventually(async () => expect((await askSecond("/")).text).toContain(`<title>Ronda ${round}`), {
      intervalMs: 20,
    });
  }
});

test("an edge that has lost its listener serves no cached page, and none from before when it listens again", async () => {
  await eventually(async () => expect((await askSecond("/")).headers["x-cache"]).toBe("hit"));
  await whileAway(sites.server.databaseUrl, async () => {
    await eventually(async () => expect((await askSecond("/")).headers["x-cache"]).not.toBe("hit"));
    await run("update_option('blogname', 'Sin base de datos');");
    expect((await askSecond("/")).text).toContain("<title>Sin base de datos");
    await run("update_option('blogname', 'De vuelta');");
  });
  await eventually(async () => {
    const answer = await askSecond("/");
    expect([answer.headers["x-cache"], answer.text.includes("<title>De vuelta")]).toEqual(["hit", true]);
  });
});

test("a report that changes nothing makes no new generation, and an older one never brings back old pages", async () => {
  const { db } = sites.server;
  const report = (pages: string) => recordReport(db, blog.id, { pages, nextCron: 0, hasMail: false }, true);
  expect([await report("one"), await report("one"), await report("two"), await report("one")]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  const { pagesGeneration } = await row();
  await Promise.all(Array.from({ length: 20 }, (_, index) => report(index % 2 ? "one" : "two")));
  expect((await row()).pagesGeneration).toBeGreaterThan(pagesGeneration);
});

test("a due site is claimed by one worker, and is due again if that one dies", async () => {
  const { db } = sites.server;
  const makeDue = () => db.execute(sql`update wordpress_sites set next_cron_at = now() - interval '1 minute'`);
  await makeDue();
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimCron(db, 10)));
  expect(claims.flat().map(({ id }) => id)).toEqual([blog.id]);
  expect((await row()).nextCronAt?.getTime()).toBeGreaterThan(Date.now() + 9 * 60_000);
  await makeDue();
  expect(await claimCron(db, 10)).toHaveLength(1);
});

test("mail that arrives while the outbox is emptied keeps it due", async () => {
  const { db } = sites.server;
  const report = (hasMail: boolean) => recordReport(db, blog.id, { pages: "p", nextCron: undefined, hasMail }, true);
  await report(true);
  expect(await claimMail(db, 10)).toHaveLength(1);
  await postponeMail(db, blog.id, null);
  expect((await row()).mailDueAt).toBeNull();
  await report(true);
  expect(await claimMail(db, 10)).toHaveLength(1);
  await report(true);
  await postponeMail(db, blog.id, null);
  expect(await claimMail(db, 10)).toHaveLength(1);
  // Without new mail, nothing makes it due.
  await postponeMail(db, blog.id, null);
  await report(false);
  expect(await claimMail(db, 10)).toHaveLength(0);
});
