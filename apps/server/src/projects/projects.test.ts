import type { CustomerState } from "@nido/contract";
import { applyDiff } from "@nido/redux-remote";
import { createCustomer, signIn, startApp, type TestApp } from "@nido/test-kit/app";
import { readOutbox } from "@nido/test-kit/outbox";
import { addProject } from "@nido/test-kit/seed";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { findCustomers } from "../account/findCustomers.ts";
import { holdProject } from "./holdProject.ts";
import { resumeProjectOf } from "./queries.ts";

type Headers = Record<string, string>;

async function withProject() {
  const server = await startApp();
  const userId = await createCustomer(server);
  const headers = await signIn(server);
  const id = await addProject(server.db, userId, "panaderialuz", { recipe: "wordpress_pro" });
  return { server, userId, headers, id };
}

async function stranger(server: TestApp) {
  const userId = await createCustomer(server, "bea@example.com");
  return { userId, headers: await signIn(server, "bea@example.com") };
}

function act({ app }: TestApp, headers: Headers, type: string, payload: unknown) {
  return app.inject({ method: "POST", url: "/redux", headers, payload: { type, payload } });
}

async function stateOf({ app }: TestApp, headers: Headers): Promise<CustomerState> {
  return (await app.inject({ url: "/redux", headers })).json();
}

test("the state contains the customer's own projects and subscriptions, and no other customer's", async () => {
  const { server, headers, id } = await withProject();
  const other = await stranger(server);
  await addProject(server.db, other.userId, "estudiomarin");
  const { projects, subscriptions } = await stateOf(server, headers);
  expect(Object.keys(projects)).toEqual([id]);
  expect(projects[id]).toEqual({
    id,
    name: "panaderialuz",
    recipe: "wordpress_pro",
    recipe_id: "prod_wordpress_pro",
    sub_id: expect.stringMatching(/^sub_/),
    status: "active",
    disk: { used: 0, allowed: 25e9 },
    url: "http://panaderialuz.localhost:3000",
    address: "http://panaderialuz.localhost:3000",
    domains: {
      controlled: {
        name: "panaderialuz.localhost:3000",
        domain: "panaderialuz.localhost:3000",
        primary: true,
        controlled: true,
        branch: "main",
        status: "verified",
      },
    },
  });
  expect(Object.values(subscriptions)).toEqual([
    {
      id: projects[id]?.sub_id,
      created: 1768478400,
      current_period_start: 1768478400,
      current_period_end: 1800014400,
      plan: { amount: 5900, currency: "eur", interval: "year" },
      cancel_at_period_end: false,
      past_due: false,
    },
  ]);
  expect(JSON.stringify(Object.keys({ ...projects, ...subscriptions }))).not.toContain(".");
});

describe("DELETE_PROJECT", () => {
  test("removes the project, its domains and its subscription from the state, and keeps the name reserved", async () => {
    const { server, headers, id } = await withProject();
    await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    const before = await stateOf(server, headers);
    const response = await act(server, headers, "DELETE_PROJECT", { id });
    expect(response.statusCode).toBe(200);
    const after = await stateOf(server, headers);
    expect([after.projects, after.subscriptions]).toEqual([{}, {}]);
    expect(applyDiff(before, response.json())).toEqual(after);
    const name = await server.app.inject({ url: "/api/domain/panaderialuz", headers });
    expect(name.statusCode).toBe(409);
    expect((await act(server, headers, "DELETE_PROJECT", { id })).statusCode).toBe(404);
    const [told, ...more] = await readOutbox(server);
    expect([told?.template, told?.params["name"], more]).toEqual(["projectDeleted", "panaderialuz", []]);
  });

  test("answers the same 404 for another customer's project, an unknown id and a malformed id", async () => {
    const { server, headers, id } = await withProject();
    const { headers: others } = await stranger(server);
    for (const payload of [{ id }, { id: crypto.randomUUID() }, { id: "nonsense" }]) {
      const response = await act(server, others, "DELETE_PROJECT", payload);
      expect([response.statusCode, response.json()]).toEqual([404, { error: "error_project_not_found" }]);
    }
    expect(Object.keys((await stateOf(server, headers)).projects)).toEqual([id]);
  });

  test("succeeds once for twenty concurrent requests", async () => {
    const { server, headers, id } = await withProject();
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(server, headers, "DELETE_PROJECT", { id })));
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted();
    expect(statuses).toEqual([200, ...Array(19).fill(404)]);
  });
});

describe("GET /api/domain/{name}", () => {
  test.each([
    ["mitienda24", 202],
    ["panaderialuz", 409],
    ["admin", 409],
    ["webmail", 409],
    ["abcd", 400],
    ["Mitienda", 400],
    ["mi-tienda", 400],
    ["a".repeat(21), 400],
    ["%00%00%00%00%00", 400],
    ["..%2f..%2fetc", 400],
  ])("answers for %s with %i", async (name, status) => {
    const { server } = await withProject();
    const response = await server.app.inject({ url: `/api/domain/${name}`, headers: { host: "localhost:3000" } });
    expect(response.statusCode).toBe(status);
  });

  test("needs no session, and is rate-limited after 60 requests", async () => {
    const { server } = await withProject();
    const statuses = [];
    for (let asked = 0; asked < 61; asked++) {
      const response = await server.app.inject({ url: "/api/domain/mitienda24", headers: { host: "localhost:3000" } });
      statuses.push(response.statusCode);
    }
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(202));
    expect(statuses[60]).toBe(429);
  });
});

test("a project suspended by an operator stays suspended when it is paid for, until the operator resumes it", async () => {
  const { server, headers, id } = await withProject();
  const statusOf = async () => {
    const { rows } = await server.db.execute(sql`select status, sub_id from projects where id = ${id}`);
    return rows[0] as { status: string; sub_id: string };
  };
  expect(await holdProject(server.db, "panaderialuz", true)).toBe(true);
  expect(await holdProject(server.db, "panaderialuz", true)).toBe(false);
  const { sub_id: subId } = await statusOf();
  await server.db.transaction((tx) => resumeProjectOf(tx, subId));
  expect((await statusOf()).status).toBe("suspended");
  expect(await holdProject(server.db, "panaderialuz", false)).toBe(true);
  expect((await stateOf(server, headers)).projects[id]?.status).toBe("active");
  expect(await holdProject(server.db, "nobody", true)).toBe(false);
});

test.each(["ANA@example", "aderial", "www.ana.com", "ana@example.com"])(
  "findCustomers finds the customer by %s, and no other",
  async (text) => {
    const { server, id, userId } = await withProject();
    await stranger(server);
    await server.db.execute(
      sql`insert into domains (project_id, name, domain) values (${id}, 'www.ana.com', 'www.ana.com')`,
    );
    const found = await findCustomers(server.db, text);
    expect(found.map((customer) => customer.id)).toEqual([userId]);
    expect(found[0]?.projects).toMatchObject([
      { name: "panaderialuz", status: "active", domains: ["www.ana.com (pending)"] },
    ]);
    expect(await findCustomers(server.db, "%")).toEqual([]);
  },
);
