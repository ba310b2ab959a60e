import { maxQueryRows, type QueryResult, rowsPerPage, type SiteTables } from "@nido/contract";
import { createCustomer, signIn } from "@nido/test-kit/app";
import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(testedRuntimes("the database of sites"))("the database of a site on the %s runtime", (runtime) => {
  let sites: Sites;
  let ana: TestSite;
  let headers: Record<string, string>;
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
    sites = await openSites(whenDone, await settingsOf(runtime, whenDone));
    ana = await sites.open("anasite");
    headers = await signIn(sites.server, "anasite@example.com");
  });
  afterAll(async () => {
    if (ana) await sites.server.wordpress.runtime.remove(ana.id);
    for (const undo of undos) await undo();
  });
  beforeEach(() => sites.server.db.execute(sql`delete from attempts`));

  const call = async (path: string, payload?: object, as = headers) =>
    sites.server.app.inject({
      method: payload ? "POST" : "GET",
      url: `/api/projects/${ana.id}/database${path}`,
      headers: as,
      ...(payload && { payload }),
    });
  const query = async (text: string) => (await call("/query", { sql: text })).json() as QueryResult;

  test("its tables and their rows are listed, page by page", async () => {
    const { tables }: SiteTables = (await call("")).json();
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["wp_options", "wp_posts", "wp_users"]));
    expect(tables.find(({ name }) => name === "wp_options")?.rows).toBeGreaterThan(rowsPerPage);

    const first: QueryResult = (await call("/rows?table=wp_options")).json();
    expect([first.columns[1], first.rows.length, first.has_more]).toEqual(["option_name", rowsPerPage, true]);
    const second: QueryResult = (await call(`/rows?table=wp_options&offset=${rowsPerPage}`)).json();
    expect(second.rows[0]?.[0]).not.toBe(first.rows[0]?.[0]);
    expect((await call("/rows?table=wp_links")).json()).toMatchObject({
      columns: expect.arrayContaining(["link_id"]),
      rows: [],
      has_more: false,
    });
    expect((await call("/rows?table=wp_nothing")).json().problem).toMatch(/wp_nothing/);
    const nasty = encodeURIComponent("wp_users` where 1=1; -- ");
    expect((await call(`/rows?table=${nasty}`)).json()).toMatchObject({ rows: [], problem: expect.any(String) });
  });

  test("statements are run as they are, and what they change is seen at once", async () => {
    expect((await ana.ask("/")).text).toContain("anasite");
    const renamed = await query(
      "update wp_options set option_value = 'Otro ''nombre''' where option_name = 'blogname'",
    );
    expect(renamed).toMatchObject({ changed: 1, rows: [] });
    expect((await ana.ask("/")).text).toContain("Otro &#039;nombre&#039;");
    expect(await query("select option_value as v from wp_options where option_name = 'blogname'")).toEqual({
      columns: ["v"],
      rows: [["Otro 'nombre'"]],
      has_more: false,
    });
    expect(await query("selec 1")).toMatchObject({ rows: [], problem: expect.any(String) });
    await query("create table wp_many (id bigint auto_increment primary key, text longtext, bytes longblob)");
    for (let times = 0; times < 3; times++)
      await query(
        `insert into wp_many (text) values ${Array(100)
          .fill(`('${"ñ".repeat(40)}')`)
          .join(",")}`,
      );
    const many = await query("select * from wp_many");
    expect([many.rows.length, many.has_more, many.rows[0]?.[2]]).toEqual([maxQueryRows, true, null]);
    await query(`insert into wp_many (text, bytes) values ('${"x".repeat(5000)}', x'ff00fe')`);
    const [last] = (await query("select text, bytes from wp_many where bytes is not null")).rows;
    expect([last?.[0]?.length, last?.[1]]).toEqual([501, "0xff00fe"]);
    const log = JSON.stringify((await sites.server.app.inject({ url: "/api/activity", headers })).json());
    expect(log).toContain("databaseChanged");
    expect(log).not.toContain("nombre");
  });

  test("it needs a recent proof and its owner, and is not written to during other work", async () => {
    for (const payload of [{}, { sql: "" }, { sql: "x".repeat(20_000) }, { sql: 1 }])
      expect((await call("/query", payload)).statusCode).toBe(400);
    await createCustomer(sites.server, "bea@example.com");
    const stranger = await signIn(sites.server, "bea@example.com");
    for (const [path, payload] of [[""], ["/rows?table=wp_users"], ["/query", { sql: "select 1" }]] as const)
      expect((await call(path, payload, stranger)).json()).toEqual({ error: "error_project_not_found" });
    await sites.server.app.inject({
      method: "POST",
      url: `/api/projects/${ana.id}/backups`,
      headers,
      payload: { note: "" },
    });
    expect((await call("/query", { sql: "delete from wp_links" })).json()).toEqual({ error: "error_site_busy" });
    expect((await call("/query", { sql: "select 1 as one" })).json().rows).toEqual([["1"]]);

    const later = await signIn(sites.server, "anasite@example.com");
    await sites.server.db.execute(sql`update sessions set proven_at = now() - interval '1 day'`);
    for (const [path, payload] of [[""], ["/rows?table=wp_users"], ["/query", { sql: "select 1" }]] as const)
      expect((await call(path, payload, later)).json()).toEqual({ error: "error_proof_needed" });
  });
});
