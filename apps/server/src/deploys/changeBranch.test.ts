import type { CliProject } from "@nido/contract";
import { createCustomer } from "@nido/test-kit/app";
import { cliOf, giveToken, openPublisher } from "@nido/test-kit/publish";
import { addProject } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createCliToken } from "../cli/accessTokens.ts";
import { announceChange } from "../db/announceChange.ts";
import { deployUrl } from "../domains/deployAddress.ts";

async function open() {
  const publisher = await openPublisher(createCustomer);
  const { cli, address } = publisher;
  const visit = (label: string, path = "/") => ask(address, `${label}.localhost:3000`, path);
  const publish = (text: string, branch = "main") => cli.publish("folio", { "index.html": text }, { branch });
  const project = async () => (await cli.call<CliProject>("GET", "/projects/folio")).body;
  const rollBack = async (branch = "main") => {
    const { previous } = (await project()).branches[branch] ?? {};
    return previous && (await cli.call("POST", "/projects/folio/rollback", { deploy: previous, branch })).status;
  };
  return { ...publisher, visit, publish, project, rollBack };
}

const labelOf = (id: string) => `v--${id.replaceAll("-", "").slice(0, 12)}`;

test("each deploy keeps an address of its own, which search engines must not list", async () => {
  const { cli, visit, publish, project } = await open();
  const one = await publish("one");
  expect(one.deploy_url).toBe(`http://${labelOf(one.id)}--folio.localhost:3000`);
  const two = await publish("two");
  expect((await project()).deploys.map(({ url }) => url).toSorted()).toEqual(
    [one.deploy_url, two.deploy_url].toSorted(),
  );
  const kept = await visit(`${labelOf(one.id)}--folio`);
  expect(kept).toMatchObject({ status: 200, text: "one" });
  expect(kept.headers["x-robots-tag"]).toBe("noindex");
  expect((await visit("folio")).headers["x-robots-tag"]).toBeUndefined();
  expect((await visit(`${labelOf(one.id)}--folio`, "/nothing")).status).toBe(404);

  await publish("soon", "next");
  expect((await visit("next--folio")).headers["x-robots-tag"]).toBe("noindex");

  // Not even if the site says otherwise.
  const files = { "index.html": "seen", _headers: "/*\n  X-Robots-Tag: all\n" };
  const { id } = await cli.publish("folio", files);
  await cli.publish("folio", files, { branch: "next" });
  for (const label of ["next--folio", `${labelOf(id)}--folio`])
    expect((await visit(label)).headers["x-robots-tag"]).toBe("noindex");
  expect((await visit("folio")).headers["x-robots-tag"]).toBe("all");
});

test("a permanent address shows nothing of another project, of an unfinished or removed deploy, or of a suspended site", async () => {
  const { server, userId, cli, visit, publish } = await open();
  const { id } = await publish("one");
  await addProject(server.db, userId, "other", { recipe: "static_starter" });
  expect((await visit(`${labelOf(id)}--other`)).status).toBe(404);
  const { body: plan } = await cli.plan("folio", { "index.html": "not sent" });
  for (const label of [
    labelOf(plan.id ?? ""),
    "v--000000000000",
    "v--",
    `${labelOf(id)}0`,
    labelOf(id).slice(0, -1),
    "v--ZZZZZZZZZZZZ",
  ])
    expect((await visit(`${label}--folio`)).status, label).toBe(404);

  await server.db.execute(sql`update projects set status = 'suspended' where name = 'folio'`);
  await server.db.transaction((tx) => announceChange(tx, userId));
  await expect.poll(async () => (await visit(`${labelOf(id)}--folio`)).status).toBe(503);
  expect((await visit(`${labelOf(id)}--folio`)).text).toContain("está suspendido");
  expect((await visit("v--000000000000--folio")).status).toBe(404);
});

test("where each name needs its own certificate, deploys have no address", () => {
  const sites = { scheme: "https:", domain: "sites.example.net", appHost: "panel.example.com", addresses: [] };
  const id = "0b5ab0fe-6a5f-4a7e-9a6e-0f35f4a3a111";
  expect(deployUrl("folio", id, { ...sites, hasWildcard: true })).toBe(
    "https://v--0b5ab0fe6a5f--folio.sites.example.net",
  );
  expect(deployUrl("folio", id, { ...sites, hasWildcard: false })).toBeUndefined();
});

test("a roll-back undoes the last publication, however often", async () => {
  const { visit, publish, rollBack } = await open();
  for (const text of ["one", "two"]) await publish(text);
  await rollBack();
  await publish("three");
  expect(await rollBack()).toBe(200);
  expect((await visit("folio")).text).toBe("one");
  expect(await rollBack()).toBeUndefined();
});

test("a roll-back skips deploys that are gone, and goes back fifty times at most", async () => {
  const { server, userId, cli, visit, publish, project, rollBack } = await open();
  const ids: string[] = [];
  for (let index = 0; index < 53; index++) ids.push((await publish(`${index}`)).id);
  const { rows } = await server.db.execute<{ history: string[] }>(sql`select history from branches`);
  expect(rows[0]?.history).toEqual(ids.slice(2, 52));
  await server.db.execute(sql`update branches set replaced = '[]'`);
  await server.db.execute(sql`delete from deploys where id = ${ids[51]}`);
  await server.db.transaction((tx) => announceChange(tx, userId));
  await expect.poll(async () => (await project()).branches["main"]?.previous).toBe(ids[50]);
  await rollBack();
  expect((await visit("folio")).text).toBe("50");
  await cli.call("POST", "/projects/folio/rollback", { deploy: ids[10] });
  expect((await project()).branches["main"]).toMatchObject({ deploy: ids[10], previous: ids[9] });
});

test("a branch is promoted to main, rolled back, and promoted again", async () => {
  const { cli, visit, publish, project, rollBack } = await open();
  const one = await publish("one");
  const soon = await publish("soon", "next");
  const promote = (deploy: string) => cli.call("POST", "/projects/folio/promote", { deploy });
  expect(await promote(soon.id)).toMatchObject({ status: 200, body: { id: soon.id, url: one.url } });
  expect((await visit("folio")).text).toBe("soon");
  expect((await visit("next--folio")).text).toBe("soon");
  expect((await project()).branches["main"]).toMatchObject({ deploy: soon.id, previous: one.id });
  await promote(soon.id);
  expect((await project()).branches["main"]).toMatchObject({ deploy: soon.id, previous: one.id });

  await publish("two");
  await promote(soon.id);
  expect(await rollBack()).toBe(200);
  expect((await visit("folio")).text).toBe("two");
  expect(await rollBack()).toBe(200);
  expect((await visit("folio")).text).toBe("soon");
});

test("a branch is deleted, its deploys remain, and main cannot be", async () => {
  const { cli, visit, publish, project } = await open();
  await publish("one");
  const soon = await publish("soon", "next");
  const remove = (branch: string) => cli.call("DELETE", `/projects/folio/branches/${branch}`);
  expect(await remove("main")).toMatchObject({ status: 409, body: { error: "error_branch_main" } });
  expect(await remove("other")).toMatchObject({ status: 404, body: { error: "error_branch_not_found" } });
  expect(await remove("next")).toMatchObject({ status: 200 });
  expect((await visit("next--folio")).status).toBe(404);
  expect((await visit(`${labelOf(soon.id)}--folio`)).text).toBe("soon");
  expect(await remove("next")).toMatchObject({ status: 404 });
  expect(Object.keys((await project()).branches)).toEqual(["main"]);
  expect((await project()).deploys).toHaveLength(2);
});

test("a token that only reads, and another customer, change nothing", async () => {
  const { server, address, userId, cli, publish, visit } = await open();
  await publish("one");
  const { id } = await publish("soon", "next");
  const readOnly = { kind: "ci", name: "reader", days: 1, access: "read" } as const;
  const reader = cliOf(address, await server.db.transaction((tx) => createCliToken(tx, userId, readOnly)));
  const stranger = cliOf(address, await giveToken(server, await createCustomer(server, "eva@example.com")));
  for (const [who, status] of [
    [reader, 403],
    [stranger, 404],
  ] as const) {
    expect(await who.call("POST", "/projects/folio/promote", { deploy: id })).toMatchObject({ status });
    expect(await who.call("DELETE", "/projects/folio/branches/next")).toMatchObject({ status });
  }
  await addProject(server.db, userId, "other", { recipe: "static_starter" });
  expect(await cli.call("POST", "/projects/other/promote", { deploy: id })).toMatchObject({ status: 404 });
  expect((await visit("folio")).text).toBe("one");
  expect((await visit("next--folio")).text).toBe("soon");
});
