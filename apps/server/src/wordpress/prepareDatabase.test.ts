import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createCustomer } from "@nido/test-kit/app";
import { createDatabase } from "@nido/test-kit/database";
import { settings, start } from "@nido/test-kit/product";
import { orderWordPress } from "@nido/test-kit/seed";
import { openSites } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, onTestFinished, test } from "vitest";
import { provisionWordPress } from "./lifecycle/provisionWordPress.ts";
import { prepareDatabase } from "./prepareDatabase.ts";
import { siteFolder } from "./siteFolder.ts";

const day = 86_400;

function open(file: string) {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return {
    run: (sql: string) => database.exec(sql),
    rows: (sql: string) => database.prepare(sql).all() as Record<string, unknown>[],
  };
}

test.each([
  { lang: "es", hello: /^¡Hola,? mundo!$/, zone: "Europe/Madrid" },
  { lang: "en", hello: /^Hello world!$/, zone: "UTC" },
] as const)("an old prepared database becomes a new site of its owner ($lang)", async ({ lang, hello, zone }) => {
  const { server, folder } = await openSites(onTestFinished);
  const { wordpress } = server;
  const core = await wordpress.runtime.cores.current();
  const before = open(
    join(dirname(core.folder), `${await prepareDatabase(wordpress, wordpress.runtime, core, lang)}.sqlite`),
  );
  before.run(`update wp_options set option_value = option_value - ${10 * day} where option_name = 'nido_prepared'`);
  const soon = Math.floor(Date.now() / 1000) + 900;
  const schedule = `a:2:{i:${soon - 10 * day};a:1:{s:4:"care";a:0:{}}s:7:"version";i:2;}`;
  before.run(`insert into wp_options (option_name, option_value) values ('cron', '${schedule}')`);

  const order = await orderWordPress(
    server.db,
    await createCustomer(server, "lucia@example.com"),
    "newsite",
    "wordpress_starter",
    lang,
  );
  await provisionWordPress(wordpress, { ...order, username: "L.Marin_2" }, 1);
  const site = open(join(siteFolder(folder, order.projectId).database, "wordpress.sqlite"));

  const tables = site.rows("select name from sqlite_master where type = 'table' and name like 'wp_%'");
  const everything = JSON.stringify(tables.map(({ name }) => site.rows(`select * from "${name}"`)));
  expect(tables.length).toBeGreaterThanOrEqual(12);
  expect(everything).not.toMatch(/nobody|nido\.invalid|nido_prepared/);
  expect(site.rows("select user_login, user_nicename, display_name, user_email, user_url from wp_users")).toEqual([
    {
      user_login: "L.Marin_2",
      user_nicename: "l-marin_2",
      display_name: "L.Marin_2",
      user_email: "lucia@example.com",
      user_url: "http://newsite.localhost:3000",
    },
  ]);
  const options = Object.fromEntries(
    site
      .rows("select option_name as name, option_value as value from wp_options")
      .map(({ name, value }) => [name, value]),
  );
  expect(options).toMatchObject({
    blogname: "newsite",
    admin_email: "lucia@example.com",
    siteurl: "http://newsite.localhost:3000",
    home: "http://newsite.localhost:3000",
    timezone_string: zone,
  });
  const [, moment] = /i:(\d+);a:1:{s:4:"care"/.exec(String(options["cron"])) ?? [];
  expect(Number(moment) - soon).toBeGreaterThanOrEqual(0);
  expect(Number(moment) - soon).toBeLessThan(day);
  const posts = site.rows("select post_title, guid, post_date_gmt, post_content from wp_posts order by id");
  expect(posts[0]).toMatchObject({
    post_title: expect.stringMatching(hello),
    guid: "http://newsite.localhost:3000/?p=1",
  });
  expect(posts[1]?.["post_content"]).toContain('href="http://newsite.localhost:3000/wp-admin/"');
  for (const { post_date_gmt: date } of posts) expect(Date.parse(`${date}Z`) / 1000).toBeGreaterThanOrEqual(soon - 900);
});

test("two processes preparing databases concurrently leave one per language, and no temporary site", async () => {
  const { env, dataDir } = await settings();
  const databaseUrl = await createDatabase();
  const other = await settings();
  const all = { DATABASE_URL: databaseUrl, LOG_LEVEL: "error" };
  const both = [
    { ...env, ...all },
    { ...other.env, ...all, DATA_DIR: dataDir },
  ];
  const started = await Promise.all(both.map((one) => start({ env: one })));
  await eventually(() => {
    expect(globSync(join(dataDir, "wordpress/*/platform-*"))).toHaveLength(2);
    expect(globSync(join(dataDir, "sites/*"))).toEqual([]);
  });
  expect(started.map(({ output }) => output()).join("")).not.toContain("there is no WordPress to install");
});
