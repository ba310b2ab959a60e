import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { createCustomer, password, signIn, startApp } from "@nido/test-kit/app";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

const verifier = "v".repeat(43);
const challenge = createHash("sha256").update(verifier).digest("base64url");

async function open() {
  const server = await startApp();
  const userId = await createCustomer(server);
  const headers = await signIn(server);
  const host = { host: "localhost:3000" };
  const post = async (url: string, payload: object, more: Record<string, string> = host) => {
    const response = await server.app.inject({ method: "POST", url: `/api/cli${url}`, headers: more, payload });
    return { status: response.statusCode, body: response.json() };
  };
  const me = async (token: string) =>
    (await server.app.inject({ url: "/api/cli/me", headers: { ...host, authorization: `Bearer ${token}` } }))
      .statusCode;
  return { server, userId, headers, post, me };
}

test("a loopback grant needs a session and our origin, and its code is redeemed once", async () => {
  const { headers, post, me } = await open();
  expect((await post("/grants", { challenge, machine: "laptop" })).status).toBe(401);
  expect(
    (await post("/grants", { challenge, machine: "laptop" }, { ...headers, origin: "https://evil.example" })).status,
  ).toBe(403);
  const { body } = await post("/grants", { challenge, machine: "laptop" }, headers);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post("/token", { code: body.code, verifier })));
  const redeemed = answers.filter(({ status }) => status === 200);
  expect(redeemed).toHaveLength(1);
  expect(await me(redeemed[0]?.body.token)).toBe(200);
  expect(answers.find(({ status }) => status !== 200)?.body).toEqual({ error: "error_code_invalid" });
});

test("a grant's code needs its PKCE verifier, and is void after one wrong verifier or when it expires", async () => {
  const { server, headers, post } = await open();
  const createGrant = async () => (await post("/grants", { challenge, machine: "laptop" }, headers)).body.code;
  const stolen = await createGrant();
  expect((await post("/token", { code: stolen, verifier: "w".repeat(43) })).status).toBe(400);
  expect((await post("/token", { code: stolen, verifier })).status).toBe(400);
  // The device endpoint, which needs no verifier, does not accept the code of a loopback grant.
  expect((await post("/device/token", { device_code: await createGrant() })).status).toBe(410);
  const expired = await createGrant();
  await server.db.execute(sql`update cli_grants set expires_at = now()`);
  expect((await post("/token", { code: expired, verifier })).status).toBe(400);
});

test("the device flow answers pending until its user code is approved, then gives out one token", async () => {
  const { server, headers, post, me } = await open();
  const { body: device } = await post("/device", { machine: "box" });
  expect(device).toMatchObject({
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    interval: 2,
    expires_in: 600,
  });
  const poll = () => post("/device/token", { device_code: device.device_code });
  expect(await poll()).toEqual({ status: 425, body: { error: "error_code_pending" } });
  const found = await server.app.inject({ url: `/api/cli/device/${device.user_code.toLowerCase()}`, headers });
  expect(found.json()).toEqual({ machine: "box" });
  expect((await post(`/device/${device.user_code}`, { allow: true })).status).toBe(401);
  expect((await post("/device/BBBB-BBBB", { allow: true }, headers)).status).toBe(400);
  expect((await post(`/device/${device.user_code}`, { allow: true }, headers)).status).toBe(200);
  expect((await post(`/device/${device.user_code}`, { allow: true }, headers)).status).toBe(400);
  const answers = await Promise.all([poll(), poll(), poll()]);
  const redeemed = answers.filter(({ status }) => status === 200);
  expect(redeemed).toHaveLength(1);
  expect(await me(redeemed[0]?.body.token)).toBe(200);
  // The loopback endpoint does not accept a device code.
  expect((await post("/token", { code: device.device_code, verifier })).status).toBe(400);
});

test("a device code that was refused or has expired gives no token", async () => {
  const { server, headers, post } = await open();
  const { body: refused } = await post("/device", { machine: "box" });
  await post(`/device/${refused.user_code}`, { allow: false }, headers);
  expect(await post("/device/token", { device_code: refused.device_code })).toMatchObject({ status: 403 });
  const { body: expired } = await post("/device", { machine: "box" });
  await server.db.execute(sql`update cli_grants set expires_at = now()`);
  expect((await post(`/device/${expired.user_code}`, { allow: true }, headers)).status).toBe(400);
  expect(await post("/device/token", { device_code: expired.device_code })).toMatchObject({ status: 410 });
});

test("a new password revokes CLI logins but not named tokens; a named token cannot create tokens", async () => {
  const { server, headers, post, me } = await open();
  const { body: grant } = await post("/grants", { challenge, machine: "laptop" }, headers);
  const { body: login } = await post("/token", { code: grant.code, verifier });
  const as = (token: string) => ({ host: "localhost:3000", authorization: `Bearer ${token}` });
  const { body: named } = await post("/tokens", { name: "ci" }, as(login.token));
  expect((await post("/tokens", { name: "more" }, as(named.token))).body).toEqual({ error: "error_login_needed" });
  const payload = { type: "UPDATE_USER_PASSWORD", payload: { password: "Other1234", current_password: password } };
  expect((await server.app.inject({ method: "POST", url: "/redux", headers, payload })).statusCode).toBe(200);
  expect([await me(login.token), await me(named.token)]).toEqual([401, 200]);
  const list = await server.app.inject({ url: "/api/cli/tokens", headers: as(login.token) });
  expect(list.statusCode).toBe(401);
});

test("the CLI package contains this server's URL, and is 304 for a matching ETag", async () => {
  const { server } = await open();
  const headers = { host: "localhost:3000" };
  const { statusCode, rawPayload, headers: sent } = await server.app.inject({ url: "/cli/nido.tgz", headers });
  expect(statusCode).toBe(200);
  const archive = gunzipSync(rawPayload).toString("latin1");
  expect(archive).toContain('"server": "http://localhost:3000"');
  const settings = JSON.parse(/\{[^\0]*\}/.exec(archive)?.[0] ?? "");
  expect(Object.keys(settings)).not.toContain("scripts");
  // The server checks what it is sent. Schemas would nearly double the file, and be built at each start.
  expect(archive).not.toContain("_zod");
  const again = await server.app.inject({
    url: "/cli/nido.tgz",
    headers: { ...headers, "if-none-match": String(sent["etag"]) },
  });
  expect(again.statusCode).toBe(304);
});
