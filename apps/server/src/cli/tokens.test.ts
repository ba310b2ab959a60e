import { createCustomer } from "@nido/test-kit/app";
import { cliOf, openPublisher } from "@nido/test-kit/publish";
import { addProject } from "@nido/test-kit/seed";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createCliToken, type NewCliToken } from "./accessTokens.ts";

async function openTokens() {
  const publisher = await openPublisher(createCustomer);
  const { server, address, userId } = publisher;
  await addProject(server.db, userId, "second", { recipe: "static_starter" });
  const login = (token: NewCliToken) => server.db.transaction((tx) => createCliToken(tx, userId, token));
  return {
    ...publisher,
    person: cliOf(address, await login({ kind: "login", name: "laptop", days: 180, signedInAt: new Date() })),
    use: (token: string) => cliOf(address, token),
  };
}

test("a token for one project reaches no other, and a read-only token publishes nothing", async () => {
  const { person, use } = await openTokens();
  const create = async (body: object) => (await person.call<{ token: string }>("POST", "/tokens", body)).body.token;
  const scoped = use(await create({ name: "shop", project: "folio" }));
  await scoped.publish("folio", { "index.html": "by a scoped token" });
  expect((await scoped.plan("second", { "index.html": "x" })).body.error).toBe("error_project_not_found");
  expect((await scoped.call("POST", "/projects/second/rollback", { deploy: "x" })).body.error).toBe(
    "error_project_not_found",
  );
  expect((await scoped.call<unknown[]>("GET", "/projects")).body).toHaveLength(1);

  const { body: planned } = await person.plan("second", { "index.html": "secret" });
  for (const [method, path] of [
    ["PUT", "files"],
    ["POST", "finish"],
  ] as const)
    expect((await scoped.call(method, `/deploys/${planned.id}/${path}`, Buffer.from(""))).body.error).toBe(
      "error_deploy_not_found",
    );

  const reader = use(await create({ name: "reader", access: "read" }));
  expect((await reader.call<unknown[]>("GET", "/projects")).body).toHaveLength(2);
  expect((await reader.plan("folio", { "index.html": "x" })).body.error).toBe("error_token_scope");
  expect((await reader.call("POST", `/deploys/${planned.id}/finish`)).body.error).toBe("error_token_scope");
  expect((await person.call("POST", "/tokens", { name: "x", project: "nobodys" })).body.error).toBe(
    "error_project_not_found",
  );
});

test("every token expires within a year, and the list of tokens shows scope and expiry", async () => {
  const { person, server, use } = await openTokens();
  for (const days of [0, 366, 1.5])
    expect((await person.call("POST", "/tokens", { name: "x", days })).status).toBe(400);
  const { body } = await person.call<{ token: string }>("POST", "/tokens", {
    name: "week",
    days: 7,
    access: "read",
    project: "folio",
  });
  const { body: tokens } = await person.call<Record<string, string>[]>("GET", "/tokens");
  const week = tokens.find(({ name }) => name === "week");
  expect(week).toMatchObject({ project: "folio", access: "read" });
  const left = (Date.parse(week?.["expires_at"] ?? "") - Date.now()) / 86_400_000;
  expect(Math.round(left)).toBe(7);
  await server.db.execute(sql`update cli_tokens set expires_at = now() - interval '1 second' where name = 'week'`);
  expect((await use(body.token).call("GET", "/projects")).status).toBe(401);
});

test("creating a token requires a login within the last ten minutes; other commands do not", async () => {
  const { person, server } = await openTokens();
  await server.db.execute(sql`update cli_tokens set signed_in_at = now() - interval '11 minutes'`);
  expect((await person.call("POST", "/tokens", { name: "late" })).body.error).toBe("error_sign_in_again");
  expect((await person.call("GET", "/projects")).status).toBe(200);
});
