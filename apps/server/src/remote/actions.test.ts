import { type CustomerState, isErrorKey } from "@nido/contract";
import { applyDiff } from "@nido/redux-remote";
import { createCustomer, signIn, startApp, type TestApp } from "@nido/test-kit/app";
import { addProject } from "@nido/test-kit/seed";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { findJob } from "../jobs/enqueue.ts";
import { moveSiteJob } from "../wordpress/jobs.ts";

type Headers = Record<string, string>;

async function signedIn() {
  const server = await startApp();
  await createCustomer(server);
  return { server, headers: await signIn(server) };
}

function act({ app }: TestApp, headers: Headers, type: string, payload: unknown) {
  return app.inject({ method: "POST", url: "/redux", headers, payload: { type, payload } });
}

async function stateOf({ app }: TestApp, headers: Headers): Promise<CustomerState> {
  return (await app.inject({ url: "/redux", headers })).json();
}

test("the state contains the customer's profile and no secret", async () => {
  const { server, headers } = await signedIn();
  const state = await stateOf(server, headers);
  expect(state).toMatchObject({
    user: { email: "ana@example.com", given_name: "Ana", lang: "es", password: true, phone: "" },
    projects: {},
    subscriptions: {},
    purchases: {},
  });
  expect(Date.parse(state.user.created_at)).toBeGreaterThan(0);
  expect(state.user.refcode).toMatch(/^[a-z0-9]{8}$/);
  expect(JSON.stringify(state)).not.toMatch(/argon2|hash/);
});

test("state and actions are 401 without a session", async () => {
  const server = await startApp();
  const headers = { host: "localhost:3000", cookie: "nido_session=made-up" };
  expect((await server.app.inject({ url: "/redux", headers })).statusCode).toBe(401);
  const response = await act(server, headers, "UPDATE_USER_PHONE", { phone: "1" });
  expect([response.statusCode, response.json()]).toEqual([401, { error: "error_signed_out" }]);
});

describe("each action changes only what it names, and its diff is exactly the change", () => {
  test.each([
    ["UPDATE_USER_PHONE", { phone: " +34 600 100 200 " }, { phone: "+34 600 100 200" }],
    [
      "UPDATE_USER_COMPANY",
      { company: "Marín S.L.", vat_number: "ESB12345678" },
      { company_name: "Marín S.L.", vat_number: "ESB12345678" },
    ],
    ["UPDATE_USER_LANGUAGE", { lang: "en" }, { lang: "en" }],
    [
      "UPDATE_USER_ADDRESS",
      {
        user_address: "улица Ленина, 1",
        user_city: "Москва",
        user_state: "",
        user_zipcode: "101000",
        user_country: "RU",
      },
      { address: "улица Ленина, 1", city: "Москва", state: "", zipcode: "101000", country: "RU" },
    ],
    ["UPDATE_USER_PASSWORD", { password: "Other1234" }, { password: true }],
  ])("%s", async (type, payload, changed) => {
    const { server, headers } = await signedIn();
    const before = await stateOf(server, headers);
    const response = await act(server, headers, type, payload);
    expect(response.statusCode).toBe(200);
    const after = await stateOf(server, headers);
    expect(after.user).toEqual({ ...before.user, ...changed });
    expect(after.rev).toBe(before.rev + 1);
    expect(applyDiff(before, response.json())).toEqual(after);
  });
});

const hostile: [string, string, number, string][] = [
  ["broken JSON", '{"type":', 400, "error_invalid_input"],
  ["an empty body", "", 400, "error_invalid_input"],
  ["an array", "[]", 400, "error_invalid_input"],
  ["null", "null", 400, "error_invalid_input"],
  ["a number as type", '{"type":1,"payload":{}}', 400, "error_invalid_input"],
  ["an extra field", '{"type":"UPDATE_USER_PHONE","payload":{"phone":"1"},"x":1}', 400, "error_invalid_input"],
  ["an unknown action", '{"type":"DROP_TABLES","payload":{}}', 400, "error_action_unknown"],
  ["an inherited property as type", '{"type":"constructor","payload":{}}', 400, "error_action_unknown"],
  ["__proto__ as type", '{"type":"__proto__","payload":{}}', 400, "error_action_unknown"],
  ["a __proto__ key", '{"type":"UPDATE_USER_PHONE","payload":{"__proto__":{"phone":"1"}}}', 400, "error_invalid_input"],
  [
    "a constructor key",
    '{"type":"UPDATE_USER_PHONE","payload":{"constructor":{"prototype":{}},"phone":"1"}}',
    400,
    "error_invalid_input",
  ],
  ["a number as phone", '{"type":"UPDATE_USER_PHONE","payload":{"phone":600}}', 400, "error_invalid_input"],
  ["a missing field", '{"type":"UPDATE_USER_COMPANY","payload":{"company":"x"}}', 400, "error_invalid_input"],
  [
    "an extra payload field",
    '{"type":"UPDATE_USER_PHONE","payload":{"phone":"1","email":"x@example.com"}}',
    400,
    "error_invalid_input",
  ],
  ["letters as phone", '{"type":"UPDATE_USER_PHONE","payload":{"phone":"call me"}}', 400, "error_phone_invalid"],
  [
    "a NUL character",
    '{"type":"UPDATE_USER_COMPANY","payload":{"company":"a\\u0000b","vat_number":""}}',
    400,
    "error_invalid_input",
  ],
  ["an unknown language", '{"type":"UPDATE_USER_LANGUAGE","payload":{"lang":"fr"}}', 400, "error_language_invalid"],
  ["an empty password", '{"type":"UPDATE_USER_PASSWORD","payload":{"password":""}}', 400, "error_password_empty"],
  [
    "a short password",
    '{"type":"UPDATE_USER_PASSWORD","payload":{"password":"Abc123"}}',
    400,
    "error_password_too_short",
  ],
  [
    "a weak password",
    '{"type":"UPDATE_USER_PASSWORD","payload":{"password":"alllowercase1"}}',
    400,
    "error_password_invalid",
  ],
  [
    "a phone that would make a regular expression backtrack for minutes (ReDoS)",
    `{"type":"UPDATE_USER_PHONE","payload":{"phone":"${"1".repeat(60_000)}x"}}`,
    400,
    "error_phone_invalid",
  ],
  ["a NUL character in an id", '{"type":"DELETE_PROJECT","payload":{"id":"a\\u0000"}}', 400, "error_invalid_input"],
  ["2 MB", `{"type":"UPDATE_USER_PHONE","payload":{"phone":"${"1".repeat(2_000_000)}"}}`, 413, "error_body_too_large"],
  [
    "10,000 levels of nesting",
    `{"type":"UPDATE_USER_PHONE","payload":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
    400,
    "error_invalid_input",
  ],
];

describe("/redux refuses, and changes nothing, for", () => {
  test.each(hostile)("%s", async (_what, payload, status, error) => {
    const { server, headers } = await signedIn();
    const before = await stateOf(server, headers);
    const json = { ...headers, "content-type": "application/json" };
    const response = await server.app.inject({ method: "POST", url: "/redux", headers: json, payload });
    expect([response.statusCode, response.json()]).toEqual([status, { error }]);
    expect(await stateOf(server, headers)).toEqual(before);
  });

  test.each([
    ["text/plain", { "content-type": "text/plain" }, 415],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["no media type", {}, 415],
    ["a foreign origin", { "content-type": "application/json", origin: "https://evil.example" }, 403],
    ["a customer's site", { "content-type": "application/json", origin: "http://shop.localhost:3000" }, 403],
    ["an opaque origin", { "content-type": "application/json", origin: "null" }, 403],
    ["a cross-site request", { "content-type": "application/json", "sec-fetch-site": "cross-site" }, 403],
  ])("%s", async (_what, sent, status) => {
    const { server, headers } = await signedIn();
    const payload = '{"type":"UPDATE_USER_PHONE","payload":{"phone":"1"}}';
    const response = await server.app.inject({
      method: "POST",
      url: "/redux",
      headers: { ...headers, ...sent },
      payload,
    });
    expect(response.statusCode).toBe(status);
    expect(isErrorKey(response.json().error)).toBe(true);
    expect((await stateOf(server, headers)).user.phone).toBe("");
  });

  test("a same-site GET with the customer's cookie", async () => {
    const { server, headers } = await signedIn();
    const response = await server.app.inject({ url: "/redux", headers: { ...headers, "sec-fetch-site": "same-site" } });
    expect(response.statusCode).toBe(403);
  });
});

test("HSTS is switched on and off for the customer's own site only", async () => {
  const { server, headers } = await signedIn();
  const { rows } = await server.db.execute(sql`select id from users where email = 'ana@example.com'`);
  const own = await addProject(server.db, String(rows[0]?.["id"]), "folio", { recipe: "static_starter" });
  const otherId = await createCustomer(server, "other@example.com");
  const other = await addProject(server.db, otherId, "otro", { recipe: "static_starter" });
  const strict = async () => {
    const { rows } = await server.db.execute(sql`select name from projects where has_hsts`);
    return rows.map(({ name }) => name);
  };
  const flip = (project_id: string, enabled: unknown) => act(server, headers, "SET_HSTS", { project_id, enabled });
  expect((await flip(other, true)).json()).toMatchObject({ error: "error_project_not_found" });
  expect((await flip(own, "yes")).statusCode).toBe(400);
  expect(await strict()).toEqual([]);
  expect((await flip(own, true)).statusCode).toBe(200);
  expect(await strict()).toEqual(["folio"]);
  await flip(own, false);
  expect(await strict()).toEqual([]);
});

test("50 concurrent actions give 50 revisions, each with its own diff", async () => {
  const { server, headers } = await signedIn();
  const before = await stateOf(server, headers);
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => act(server, headers, "UPDATE_USER_PHONE", { phone: `6000000${index}` })),
  );
  const diffs = responses.map((response) => response.json()).toSorted((a, b) => a.rev.v - b.rev.v);
  expect(diffs.map((diff) => diff.rev.v)).toEqual(Array.from({ length: 50 }, (_, index) => before.rev + index + 1));
  expect(diffs.reduce(applyDiff, before)).toEqual(await stateOf(server, headers));
});

describe("a new password", () => {
  test("replaces the old one, and ends the customer's other sessions", async () => {
    const { server, headers } = await signedIn();
    const other = await signIn(server);
    await stateOf(server, other);
    expect((await act(server, headers, "UPDATE_USER_PASSWORD", { password: "Other1234" })).statusCode).toBe(200);
    expect((await server.app.inject({ url: "/redux", headers: other })).statusCode).toBe(401);
    expect((await server.app.inject({ url: "/redux", headers })).statusCode).toBe(200);
    expect((await signIn(server)).cookie).toBe("");
    expect((await signIn(server, "ana@example.com", "Other1234")).cookie).toContain("nido_session");
  });

  test("requires the current one in a session older than ten minutes, and rate-limits guesses", async () => {
    const { server, headers } = await signedIn();
    await server.db.execute(sql`update sessions set proven_at = now() - interval '11 minutes'`);
    const change = (current_password?: string) =>
      act(server, headers, "UPDATE_USER_PASSWORD", { password: "Other1234", current_password });
    expect((await change()).json()).toEqual({ error: "error_password_current_required" });
    for (let guess = 0; guess < 10; guess++) {
      expect((await change("Wrong1234")).json()).toEqual({ error: "error_password_current_wrong" });
    }
    expect((await change("Right1234")).statusCode).toBe(429);
    await server.db.execute(sql`delete from attempts`);
    await eventually(async () => expect((await change("Right1234")).statusCode).toBe(200));
  });
});

test("an ended session is refused, even if a process still caches it", async () => {
  const { server, headers } = await signedIn();
  await stateOf(server, headers);
  const { performAction } = await import("./performAction.ts");
  const [session] = await server.db
    .execute(sql`select encode(token_hash, 'hex') id, user_id from sessions`)
    .then((result) => result.rows);
  await server.db.execute(sql`delete from sessions`);
  const remembered = {
    id: String(session?.["id"]),
    userId: String(session?.["user_id"]),
    createdAt: new Date(),
    provenAt: new Date(),
    lastSeenAt: new Date(),
    expiresAt: new Date(),
    userAgent: "",
    place: "",
    isRestricted: false,
    isClosed: false,
  };
  const action = { type: "UPDATE_USER_PHONE", payload: { phone: "1" } };
  const sites = { scheme: "http:", domain: "localhost:3000", appHost: "localhost", addresses: [], hasWildcard: true };
  await expect(performAction({ ...server, sites }, remembered, action)).rejects.toMatchObject({
    key: "error_signed_out",
  });
});

test("a session ended by a concurrent password change is refused, although its action was already waiting", async () => {
  const { server, headers } = await signedIn();
  const other = await signIn(server);
  // As another process: within one process, a customer's actions wait for each other before they take a connection.
  const second = await startApp({ databaseUrl: server.databaseUrl });
  await Promise.all([stateOf(server, headers), stateOf(second, other)]);
  // Waits until this many requests are blocked by the lock on the customer's row.
  const waiting = async (count: number) =>
    eventually(async () => {
      const { rows } = await server.db.execute(
        sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(rows).toHaveLength(count);
    });
  const answers = await server.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from users for update`);
    const begin = (at: typeof server, who: Headers, password: string) =>
      act(at, who, "UPDATE_USER_PASSWORD", { password }).then(({ statusCode }) => statusCode);
    const changed = begin(server, headers, "Other1234");
    await waiting(1);
    const late = begin(second, other, "Thief1234");
    await waiting(2);
    return [changed, late];
  });
  expect(await Promise.all(answers)).toEqual([200, 401]);
});

test("an action that the network held back for too long is not performed", async () => {
  const { server, headers } = await signedIn();
  const send = (until: number) =>
    server.app.inject({
      method: "POST",
      url: "/redux",
      headers: { ...headers, "x-until": String(until) },
      payload: { type: "UPDATE_USER_PHONE", payload: { phone: "600 100 200" } },
    });
  const late = await send(Date.now() - 1);
  expect([late.statusCode, late.json()]).toEqual([503, { error: "error_network" }]);
  const phone = async () => (await server.app.inject({ url: "/redux", headers })).json().user.phone;
  expect(await phone()).toBe("");
  expect((await send(Date.now() + 60_000)).statusCode).toBe(200);
  expect(await phone()).toBe("600 100 200");
});

test("an expired session is refused", async () => {
  const { server, headers } = await signedIn();
  await server.db.execute(sql`update sessions set expires_at = now() - interval '1 second'`);
  expect((await server.app.inject({ url: "/redux", headers })).statusCode).toBe(401);
});

test("choosing the domain that is primary already does not run the site's PHP", async () => {
  const server = await startApp();
  const id = await addProject(server.db, await createCustomer(server), "anasite");
  const headers = await signIn(server);
  await server.db.execute(sql`insert into domains (project_id, name, domain, status)
    values (${id}, 'www.example.com', 'www.example.com', 'verified')`);
  const { rows } = await server.db.execute(sql`select id from domains`);
  const choose = async (domainId: string) => {
    const payload = { project_id: id, domain_id: domainId };
    expect((await act(server, headers, "SET_PRIMARY_DOMAIN", payload)).statusCode).toBe(200);
    const isMoving = (await findJob(server.db, moveSiteJob, id)) !== undefined;
    await server.db.execute(sql`delete from graphile_worker._private_jobs`);
    return isMoving;
  };
  const own = String(rows[0]?.["id"]);
  const chosen = [await choose("controlled"), await choose(own), await choose(own), await choose("controlled")];
  expect(chosen).toEqual([false, true, false, true]);
});
