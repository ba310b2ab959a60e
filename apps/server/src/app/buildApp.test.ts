import { once } from "node:events";
import { connect } from "node:net";
import { createCustomer, listen, signIn, startApp } from "@nido/test-kit/app";
import { ask } from "@nido/test-kit/sites";
import { openSocket } from "@nido/test-kit/socket";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeForLog } from "../http/describeForLog.ts";

const headers = { host: "localhost:3000" };

test("/healthz is 200 while the database answers, 503 when it does not", async () => {
  const { app, essentialDb: db } = await startApp();
  expect((await app.inject({ url: "/healthz", headers: { host: "10.0.0.7:3000" } })).statusCode).toBe(200);
  await db.$client.end();
  db.$client.end = async () => undefined;
  expect((await app.inject({ url: "/healthz" })).statusCode).toBe(503);
});

test("the public settings say whether VAT is added to the prices, and from where", async () => {
  const vatWith = async (env: Record<string, string>) => {
    const { app } = await startApp({ env });
    return (await app.inject({ url: "/api/settings", headers })).json().vat;
  };
  expect(await vatWith({ STRIPE_TAX_COUNTRY: "ES" })).toBeNull();
  expect(await vatWith({ STRIPE_AUTOMATIC_TAX: "on" })).toEqual({ seller: null });
  expect(await vatWith({ STRIPE_AUTOMATIC_TAX: "on", STRIPE_TAX_COUNTRY: "ES" })).toEqual({ seller: "ES" });
});

test("an unknown Host header gets a plain 404", async () => {
  const { app } = await startApp();
  for (const host of ["evil.example", "localhost:3001", "127.0.0.1.evil.example"]) {
    const response = await app.inject({ url: "/redux", headers: { host } });
    expect([response.statusCode, response.body]).toEqual([404, "There is no site here.\n"]);
  }
});

test("127.0.0.1 redirects to APP_URL, with path and query", async () => {
  const { app } = await startApp();
  const response = await app.inject({ url: "/settings?tab=support", headers: { host: "127.0.0.1:3000" } });
  expect([response.statusCode, response.headers.location]).toEqual([307, "http://localhost:3000/settings?tab=support"]);
});

test("the redirect from 127.0.0.1 is not an open redirect", async () => {
  const { app } = await startApp();
  for (const url of ["//evil.example/x", "//", "/\\evil.example"]) {
    const response = await app.inject({ url, headers: { host: "127.0.0.1:3000" } });
    expect(String(response.headers.location)).toMatch(/^http:\/\/localhost:3000\//);
  }
});

test("a malformed URL gets 400: error_invalid_input from the dashboard, a page from a site", async () => {
  const server = await startApp();
  const address = await listen(server);
  const answer = await ask(address, "localhost:3000", "/%zz");
  expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { error: "error_invalid_input" }]);
  const page = await ask(address, "anasite.localhost:3000", "/%ff", { headers: { accept: "text/html" } });
  expect([page.status, page.headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
  expect(page.text).toContain("Esta página no existe");
});

test("close does not wait for a WebSocket client that has stopped reading", async () => {
  const server = await startApp();
  const address = await listen(server);
  await createCustomer(server);
  const { socket } = await openSocket(address, await signIn(server));
  socket.pause(); // reads nothing, so it never answers the close frame
  await server.close();
});

test("every response has a request id and the security headers", async () => {
  const { app } = await startApp();
  for (const [url, host] of [
    ["/redux", "localhost:3000"],
    ["/healthz", "x"],
    ["/api/nothing", "localhost:3000"],
    ["/", "evil.example"],
    ["/", "127.0.0.1:3000"],
  ] as const) {
    const response = await app.inject({ url, headers: { host } });
    expect(response.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
    const policy = String(response.headers["content-security-policy"]);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("form-action 'self' http:");
  }
});

test("an unknown route gets a JSON 404", async () => {
  const { app } = await startApp();
  for (const [method, url] of [
    ["GET", "/api/nothing"],
    ["POST", "/projects"],
    ["GET", "/redux/x"],
  ] as const) {
    const response = await app.inject({ method, url, headers });
    expect([response.statusCode, response.json()]).toEqual([404, { error: "error_not_found" }]);
  }
});

test("an unexpected error is answered with error_unknown and no details", async () => {
  const server = await startApp();
  await server.db.execute(sql`alter table users rename to gone`);
  const response = await server.app.inject({
    method: "POST",
    url: "/auth/simple",
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    payload: "username=a&password=b",
  });
  expect([response.statusCode, response.json()]).toEqual([500, { error: "error_unknown" }]);
});

test("the log contains the database's error, not Drizzle's message with the query", async () => {
  const { db } = await startApp();
  const failure = await db.execute(sql`select ${"my secret"}::int`).catch((error: Error) => error);
  const logged = JSON.stringify(describeForLog(failure as Error));
  expect(logged).not.toContain("Failed query");
  expect(logged).toContain("invalid input syntax");
});

test("a request with two Host headers is refused, whichever comes first", async () => {
  const server = await startApp();
  const port = Number((await listen(server)).split(":")[1]);
  for (const hosts of [
    ["localhost:3000", "evil.example"],
    ["evil.example", "localhost:3000"],
  ]) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET / HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join("")}\r\n`);
    const [answer] = await once(socket, "data");
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
  }
});
