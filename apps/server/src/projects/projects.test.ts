import type { CustomerState } from "@nido/contract";
import { applyDiff } from "@nido/redux-remote";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createCustomer, signIn, startApp, type TestApp } from "../testing/app.ts";
import { addProject } from "../testing/seed.ts";

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

test("the state holds own projects and subscriptions, and nobody else's", async () => {
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
    domains: {
      controlled: {
        name: "panaderialuz.localhost:3000",
        domain: "panaderialuz.localhost:3000",
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
  test("takes the project, its domains and its subscription out of the state; the name stays taken", async () => {
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
  });

  test("another's project, an unknown one and an odd id are the same 404", async () => {
    const { server, headers, id } = await withProject();
    const { headers: others } = await stranger(server);
    for (const payload of [{ id }, { id: crypto.randomUUID() }, { id: "nonsense" }]) {
      const response = await act(server, others, "DELETE_PROJECT", payload);
      expect([response.statusCode, response.json()]).toEqual([404, { error: "error_project_not_found" }]);
    }
    expect(Object.keys((await stateOf(server, headers)).projects)).toEqual([id]);
  });

  test("twenty at once delete it once", async () => {
    const { server, headers, id } = await withProject();
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(server, headers, "DELETE_PROJECT", { id })));
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted();
    expect(statuses).toEqual([200, ...Array(19).fill(404)]);
  });
});

describe("NEW_DOMAIN", () => {
  test("adds what was meant, shown as it was typed, pending", async () => {
    const { server, headers, id } = await withProject();
    const response = await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: " Www.Peña.example " });
    expect(response.statusCode).toBe(200);
    const domains = Object.values((await stateOf(server, headers)).projects[id]?.domains ?? {});
    expect(domains).toContainEqual({
      name: "Www.Peña.example",
      domain: "www.xn--pea-8ma.example",
      controlled: false,
      branch: "main",
      status: "pending",
    });
  });

  test.each([
    "",
    " ",
    "localhost",
    "example",
    "127.0.0.1",
    "[::1]",
    "ftp://example.com",
    "a b.com",
    "-a.example.com",
    "example.com:8080",
    "user@example.com",
    "https://:pw@example.com",
    "example..com",
    "panaderialuz.localhost",
    "shop.localhost",
    "a.com/\u0000",
  ])("%j is an invalid entry", async (domain) => {
    const { server, headers, id } = await withProject();
    const response = await act(server, headers, "NEW_DOMAIN", { project_id: id, domain });
    expect([response.statusCode, response.json()]).toEqual([400, { error: "error_domain_invalid" }]);
  });

  test("a duplicate is refused, also of another customer's, also in another spelling", async () => {
    const { server, headers, id } = await withProject();
    const other = await stranger(server);
    const otherId = await addProject(server.db, other.userId, "estudiomarin");
    await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    for (const [who, project_id, domain] of [
      [headers, id, "https://WWW.example.com/path"],
      [other.headers, otherId, "www.example.com."],
    ] as const) {
      const response = await act(server, who, "NEW_DOMAIN", { project_id, domain });
      expect([response.statusCode, response.json()]).toEqual([409, { error: "error_domain_duplicate" }]);
    }
  });

  test("the dashboard's own host is not to be had", async () => {
    const env = {
      APP_URL: "http://panel.example.com",
      SITES_DOMAIN: "sites.example.net",
      STRIPE_SECRET_KEY: "a",
      STRIPE_WEBHOOK_SECRET: "b",
    };
    const server = await startApp({ env });
    const userId = await createCustomer(server);
    const { openSession } = await import("../auth/sessions.ts");
    const token = await server.db.transaction((tx) => openSession(tx, userId));
    const headers = { host: "panel.example.com", cookie: `nido_session=${token}` };
    const id = await addProject(server.db, userId, "panaderialuz");
    for (const domain of ["panel.example.com", "x.sites.example.net"]) {
      expect((await act(server, headers, "NEW_DOMAIN", { project_id: id, domain })).json()).toEqual({
        error: "error_domain_invalid",
      });
    }
  });

  test("a project has room for 50", async () => {
    const { server, headers, id } = await withProject();
    await server.db.execute(sql`
      insert into domains (project_id, name, domain) select ${id}, n || '.example.com', n || '.example.com' from generate_series(1, 50) n`);
    const response = await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "one.more.example.com" });
    expect([response.statusCode, response.json()]).toEqual([409, { error: "error_domain_limit" }]);
  });

  test("another's project is not found", async () => {
    const { server, id } = await withProject();
    const { headers } = await stranger(server);
    const response = await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    expect([response.statusCode, response.json()]).toEqual([404, { error: "error_project_not_found" }]);
  });
});

describe("DELETE_DOMAIN", () => {
  test("removes an added domain, which is free again", async () => {
    const { server, headers, id } = await withProject();
    await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    const domains = Object.keys((await stateOf(server, headers)).projects[id]?.domains ?? {});
    const domain_id = domains.find((key) => key !== "controlled");
    expect((await act(server, headers, "DELETE_DOMAIN", { project_id: id, domain_id })).statusCode).toBe(200);
    expect(Object.keys((await stateOf(server, headers)).projects[id]?.domains ?? {})).toEqual(["controlled"]);
    const again = await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    expect(again.statusCode).toBe(200);
  });

  test("the controlled domain, an unknown one and another's stay", async () => {
    const { server, headers, id } = await withProject();
    await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    const { rows } = await server.db.execute(sql`select id from domains`);
    const { headers: others } = await stranger(server);
    for (const [who, domain_id] of [
      [headers, "controlled"],
      [headers, crypto.randomUUID()],
      [others, rows[0]?.["id"]],
    ] as const) {
      expect((await act(server, who, "DELETE_DOMAIN", { project_id: id, domain_id })).statusCode).toBe(404);
    }
    expect(Object.keys((await stateOf(server, headers)).projects[id]?.domains ?? {})).toHaveLength(2);
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
  ])("%s: %i", async (name, status) => {
    const { server } = await withProject();
    const response = await server.app.inject({ url: `/api/domain/${name}`, headers: { host: "localhost:3000" } });
    expect(response.statusCode).toBe(status);
  });

  test("is for visitors too, at a bounded rate", async () => {
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
