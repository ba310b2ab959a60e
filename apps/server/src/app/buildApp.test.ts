import { createCustomer, listen, signIn, startApp } from "@nido/test-kit/app";
import { openSocket } from "@nido/test-kit/socket";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeForLog } from "../http/describeForLog.ts";

const headers = { host: "localhost:3000" };

test("healthz is 200 while the database answers, 503 when it does not", async () => {
  const { app, db } = await startApp();
  expect((await app.inject({ url: "/healthz", headers: { host: "10.0.0.7:3000" } })).statusCode).toBe(200);
  await db.$client.end();
  db.$client.end = async () => undefined;
  expect((await app.inject({ url: "/healthz" })).statusCode).toBe(503);
});

test("another host is a clean 404, whatever the path", async () => {
  const { app } = await startApp();
  for (const host of ["evil.example", "localhost:3001", "127.0.0.1.evil.example"]) {
    const response = await app.inject({ url: "/redux", headers: { host } });
    expect([response.statusCode, response.body]).toEqual([404, "There is no site here.\n"]);
  }
});

test("this machine's other names lead to the one address", async () => {
  const { app } = await startApp();
  const response = await app.inject({ url: "/settings?tab=support", headers: { host: "127.0.0.1:3000" } });
  expect([response.statusCode, response.headers.location]).toEqual([307, "http://localhost:3000/settings?tab=support"]);
});

test("those names lead nowhere else", async () => {
  const { app } = await startApp();
  for (const url of ["//evil.example/x", "//", "/\\evil.example"]) {
    const response = await app.inject({ url, headers: { host: "127.0.0.1:3000" } });
    expect(String(response.headers.location)).toMatch(/^http:\/\/localhost:3000\//);
  }
});

test("an address that cannot be read is a 400 like any other", async () => {
  const server = await startApp();
  const address = await listen(server);
  const response = await fetch(`http://${address}/%zz`);
  expect([response.status, await response.json()]).toEqual([400, { error: "error_invalid_input" }]);
});

test("stopping does not wait for a browser that is asleep", async () => {
  const server = await startApp();
  const address = await listen(server);
  await createCustomer(server);
  const { socket } = await openSocket(address, await signIn(server));
  socket.pause(); // reads nothing, so answers nothing
  await server.close();
});

test("every answer has a request id and the security headers", async () => {
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

test("an unknown call is a JSON 404", async () => {
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

test("a bug is answered error_unknown and tells nothing", async () => {
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

test("the log says what failed, never what it was about", async () => {
  const { db } = await startApp();
  const failure = await db.execute(sql`select ${"my secret"}::int`).catch((error: Error) => error);
  const logged = JSON.stringify(describeForLog(failure as Error));
  expect(logged).not.toContain("Failed query");
  expect(logged).toContain("invalid input syntax");
});
