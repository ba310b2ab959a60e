import { createCustomer, origin, password, signIn, startApp, type TestApp } from "@nido/test-kit/app";
import { describe, expect, test } from "vitest";

const form = { host: "localhost:3000", origin, "content-type": "application/x-www-form-urlencoded" };

function post({ app }: TestApp, username: string, secret: string, remoteAddress = "192.0.2.1") {
  const payload = new URLSearchParams({ username, password: secret }).toString();
  return app.inject({ method: "POST", url: "/auth/simple", headers: form, payload, remoteAddress });
}

describe("POST /auth/simple", () => {
  test("opens a session in an HttpOnly, host-only cookie", async () => {
    const server = await startApp();
    await createCustomer(server);
    const response = await post(server, "ANA@example.com", password);
    expect(response.statusCode).toBe(200);
    expect(response.cookies).toEqual([
      expect.objectContaining({ name: "nido_session", httpOnly: true, sameSite: "Lax", path: "/" }),
      expect.objectContaining({ name: "nido_device", httpOnly: true, sameSite: "Lax", path: "/" }),
    ]);
    expect(response.cookies[0]).not.toHaveProperty("domain");
  });

  test("sets a Secure __Host- cookie and HSTS under https", async () => {
    const env = {
      APP_URL: "https://panel.example.com",
      SITES_DOMAIN: "sites.example.net",
      SITES_ADDRESSES: "203.0.113.7",
      STRIPE_SECRET_KEY: "sk",
      STRIPE_WEBHOOK_SECRET: "whsec",
      TRUSTED_PROXIES: "127.0.0.1",
    };
    const server = await startApp({ env });
    await createCustomer(server);
    const response = await server.app.inject({
      method: "POST",
      url: "/auth/simple",
      headers: { ...form, host: "panel.example.com", origin: "https://panel.example.com" },
      payload: new URLSearchParams({ username: "ana@example.com", password }).toString(),
    });
    expect(response.cookies[0]).toMatchObject({ name: "__Host-nido_session", secure: true, path: "/" });
    expect(response.headers["strict-transport-security"]).toContain("max-age=31536000");
  });

  test("gives the same answer for a wrong password and an unknown e-mail", async () => {
    const server = await startApp();
    await createCustomer(server);
    const wrong = await post(server, "ana@example.com", "Wrong1234");
    const unknown = await post(server, "nobody@example.com", "Wrong1234");
    expect(wrong.statusCode).toBe(401);
    expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body]);
    const shape = (headers: object) => Object.keys(headers).toSorted();
    expect(shape(unknown.headers)).toEqual(shape(wrong.headers));
  });

  test("refuses any password for an account without one", async () => {
    const server = await startApp();
    const id = await createCustomer(server);
    const { updateUser } = await import("../account/queries.ts");
    await server.db.transaction((tx) => updateUser(tx, id, { passwordHash: null }));
    expect((await post(server, "ana@example.com", password)).statusCode).toBe(401);
  });

  test("rate-limits repeated failures by address, so that other addresses can still sign in", async () => {
    const server = await startApp();
    await createCustomer(server);
    const statuses = [];
    for (let tried = 0; tried < 21; tried++) statuses.push((await post(server, "ana@example.com", "x")).statusCode);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.at(-1)).toBe(429);
    expect((await post(server, "ana@example.com", password)).statusCode).toBe(429);
    expect((await post(server, "ana@example.com", password, "192.0.2.2")).statusCode).toBe(200);
    expect((await post(server, "ana@example.com", password, "2001:db8::1")).statusCode).toBe(200);
  });

  test("counts failures of one address over all e-mails, also when they are concurrent", async () => {
    const server = await startApp();
    const volley = Array.from({ length: 40 }, (_, index) => post(server, `u${index}@example.com`, "x"));
    const statuses = (await Promise.all(volley)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test("does not rate-limit successful sign-ins", async () => {
    const server = await startApp();
    await createCustomer(server);
    for (let tried = 0; tried < 25; tried++) {
      expect((await post(server, "ana@example.com", password)).statusCode).toBe(200);
    }
  });

  test.each([
    ["no password", "username=ana", form, 400],
    ["an empty body", "", form, 400],
    ["a NUL character", "username=%00a&password=b", form, 400],
    ["JSON", '{"username":"a","password":"b"}', { ...form, "content-type": "application/json" }, 415],
    ["a foreign origin", "username=a&password=b", { ...form, origin: "https://evil.example" }, 403],
    ["an opaque origin", "username=a&password=b", { ...form, origin: "null" }, 403],
    ["a cross-site form", "username=a&password=b", { ...form, "sec-fetch-site": "cross-site" }, 403],
  ])("refuses %s", async (_what, payload, headers, status) => {
    const { app } = await startApp();
    const response = await app.inject({ method: "POST", url: "/auth/simple", headers, payload });
    expect(response.statusCode).toBe(status);
    expect(response.cookies).toEqual([]);
  });
});

describe("GET /logout", () => {
  test("ends its own session and no other", async () => {
    const server = await startApp();
    await createCustomer(server);
    const [one, other] = [await signIn(server), await signIn(server)];
    await server.app.inject({ url: "/redux", headers: one });
    const response = await server.app.inject({ url: "/logout", headers: one });
    expect(response.statusCode).toBe(200);
    expect((await server.app.inject({ url: "/redux", headers: one })).statusCode).toBe(401);
    expect((await server.app.inject({ url: "/redux", headers: other })).statusCode).toBe(200);
  });

  test.each(["cross-site", "same-site"])("refuses a %s request (CSRF)", async (site) => {
    const server = await startApp();
    await createCustomer(server);
    const browser = await signIn(server);
    const response = await server.app.inject({ url: "/logout", headers: { ...browser, "sec-fetch-site": site } });
    expect(response.statusCode).toBe(403);
    expect((await server.app.inject({ url: "/redux", headers: browser })).statusCode).toBe(200);
  });
});

test("signing in again in the same browser ends its earlier session", async () => {
  const server = await startApp();
  await createCustomer(server);
  const browser = await signIn(server);
  const again = await server.app.inject({
    method: "POST",
    url: "/auth/simple",
    headers: { ...browser, ...form },
    payload: new URLSearchParams({ username: "ana@example.com", password }).toString(),
  });
  expect(again.statusCode).toBe(200);
  expect((await server.app.inject({ url: "/redux", headers: browser })).statusCode).toBe(401);
});
