import type { CliSite, RequestLogPage } from "@nido/contract";
import { createCustomer } from "@nido/test-kit/app";
import { openSiteJobs } from "@nido/test-kit/siteJobs";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCliToken, type NewCliToken } from "./accessTokens.ts";

let sites: Sites;
let ana: TestSite;
let bea: TestSite;
const undos: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sites = await openSites((undo) => undos.unshift(undo));
  [ana, bea] = [await sites.open("anasite"), await sites.open("beasite")];
});
afterAll(async () => {
  for (const undo of undos) await undo();
});

async function tokenOf(userId: string, token: Partial<NewCliToken>) {
  const whole = { kind: "login", name: "laptop", days: 1, ...token } as const;
  const secret = await sites.server.db.transaction((tx) => createCliToken(tx, userId, whole));
  return (method: "GET" | "POST" | "PUT" | "DELETE", path: string, payload?: object) =>
    sites.server.app.inject({
      method,
      url: new URL(`/api/cli/sites${path}`, "http://localhost").pathname,
      headers: { host: "localhost:3000", authorization: `Bearer ${secret}` },
      ...(payload && { payload }),
    });
}

test("the holder of a login does with a WordPress site what the dashboard does, in their own name", async () => {
  const call = await tokenOf(ana.userId, {});
  const list = async () => (await call("GET", "")).json() as CliSite[];
  expect(await list()).toMatchObject([{ id: ana.id, name: "anasite", status: "active" }]);
  expect((await call("POST", `/${ana.id}/backups`, { note: "desde la consola" })).statusCode).toBe(202);
  expect((await list())[0]?.work).toEqual({ kind: "backup", progress: 0 });
  const jobs = openSiteJobs(sites, (undo) => undos.unshift(undo));
  await jobs.work();
  const { backups } = (await call("GET", `/${ana.id}/backups`)).json();
  expect(backups).toMatchObject([{ note: "desde la consola" }]);
  const { rows } = await sites.server.db.$client.query("select actor from activity where kind = 'backupMade'");
  expect(rows).toMatchObject([{ actor: { kind: "token", name: "laptop" } }]);
  expect((await call("GET", `/${ana.id}/plugins`)).json()).toEqual({ plugins: [] });
  expect((await call("POST", `/${ana.id}/purge`)).statusCode).toBe(200);
  // A download needs a proof, which only a browser can give.
  expect((await call("GET", `/${ana.id}/backups/${backups[0].name}`)).statusCode).toBe(404);
});

test("the log of requests says where each page came from", async () => {
  const call = await tokenOf(ana.userId, { kind: "ci", name: "build", access: "read" });
  for (const path of ["/", "/", "/wp-login.php", "/wp-includes/css/buttons.css"]) await ana.ask(path);
  const sources = async () => {
    const { requests } = (await call("GET", "/../projects/anasite/requests")).json<RequestLogPage>();
    return requests.map(({ path, cache }) => `${path} ${cache}`);
  };
  await eventually(async () =>
    expect((await sources()).slice(-4)).toEqual([
      "/ miss",
      "/ hit",
      "/wp-login.php pass",
      "/wp-includes/css/buttons.css disk",
    ]),
  );
});

test("tokens for CI only read, tokens of one project reach no other, and nobody reaches a stranger's site", async () => {
  const ci = await tokenOf(ana.userId, { kind: "ci", name: "build" });
  expect((await ci("GET", `/${ana.id}/updates`)).statusCode).toBe(200);
  for (const [method, path, body] of [
    ["POST", "/backups", { note: "" }],
    ["POST", "/staging", {}],
    ["DELETE", "/staging"],
    ["PUT", "/plugins", { on: [], off: [] }],
    ["POST", "/updates", { plugins: [], themes: [] }],
    ["POST", "/mail", {}],
    ["POST", "/purge", {}],
  ] as const)
    expect((await ci(method, `/${ana.id}${path}`, body)).json(), path).toMatchObject({ error: "error_token_scope" });
  for (const path of ["/mail", "/users", "/%75sers"])
    expect((await ci("GET", `/${ana.id}${path}`)).json(), path).toMatchObject({ error: "error_login_needed" });

  const limited = await tokenOf(ana.userId, { projectId: bea.id });
  expect((await limited("GET", "")).json()).toEqual([]);
  const stranger = await tokenOf(await createCustomer(sites.server, "eva@example.com"), {});
  for (const call of [limited, stranger]) {
    expect((await call("GET", `/${ana.id}/backups`)).statusCode).toBe(404);
    expect((await call("POST", `/${ana.id}/backups`, { note: "" })).statusCode).toBe(404);
  }
  expect(
    (await sites.server.app.inject({ url: "/api/cli/sites", headers: { host: "localhost:3000" } })).statusCode,
  ).toBe(401);
});
