import { startSandbox } from "@nido/sandbox";
import { createCustomer, origin, startApp } from "@nido/test-kit/app";
import { TestVisitor } from "@nido/test-kit/visitor";
import { sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { webhookPath } from "../billing/sync/webhookRoute.ts";
import { createCliToken } from "../cli/accessTokens.ts";
import { googleCallbackPath } from "./Google.ts";

interface Person {
  email: string;
  given_name?: string;
  verified?: "on";
}

async function withGoogle() {
  const sandbox = await startSandbox({
    port: 0,
    redirectUri: new URL(googleCallbackPath, origin),
    webhookUrl: new URL(webhookPath, origin),
  });
  onTestFinished(sandbox.stop);
  const server = await startApp({ google: sandbox.google });

  /** Goes the browser's way from the sign-in button to the dashboard. `answer` is submitted to Google's form. */
  async function visit(path: string, answer: Record<string, string>, cookie = "") {
    const departure = await server.app.inject({ url: path, headers: { host: "localhost:3000", cookie } });
    const flow = departure.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join("; ");
    const callback = await answerGoogle(String(departure.headers.location), answer);
    const arrival = await server.app.inject({
      url: callback.pathname + callback.search,
      headers: { host: "localhost:3000", cookie: `${cookie}; ${flow}`, "sec-fetch-site": "cross-site" },
    });
    const session = arrival.cookies.find(({ name }) => name === "nido_session");
    return {
      departure,
      callback,
      arrival,
      location: String(arrival.headers.location),
      cookie: session && `nido_session=${session.value}`,
    };
  }

  async function user(cookie: string | undefined) {
    const response = await server.app.inject({
      url: "/redux",
      headers: { host: "localhost:3000", cookie: cookie ?? "" },
    });
    return response.json().user;
  }
  return { server, visit, user };
}

/** Submits Google's pages and returns the callback URL to which they redirect. */
async function answerGoogle(start: string, answer: Record<string, string>): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(start);
  let body: URLSearchParams | undefined;
  for (let step = 0; step < 10; step++) {
    const response = await fetch(url, {
      redirect: "manual",
      method: body ? "POST" : "GET",
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(body && { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";")[0]?.split("=", 2) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get("location");
    body = location ? undefined : new URLSearchParams(answer);
    url = new URL(location ?? url, url);
    if (url.origin === origin) return url;
  }
  throw new Error("Google never came back");
}

const ana: Person = { email: "ana@example.com", given_name: "Ana", verified: "on" };

describe("signing in with Google", () => {
  test("creates an account and redirects to the page the visitor came from", async () => {
    const { visit, user } = await withGoogle();
    const { location, cookie } = await visit("/auth/google?redirect=%2Fsettings%3Ftab%3Dsupport&lang=en", { ...ana });
    expect(location).toBe(`${origin}/settings?tab=support`);
    expect(await user(cookie)).toMatchObject({
      email: "ana@example.com",
      given_name: "Ana",
      lang: "en",
      password: false,
    });
  });

  test("sends PKCE, state and nonce to Google", async () => {
    const { visit } = await withGoogle();
    const { departure } = await visit("/auth/google", { ...ana });
    const query = new URL(String(departure.headers.location)).searchParams;
    expect(query.get("code_challenge_method")).toBe("S256");
    for (const name of ["code_challenge", "state", "nonce"]) expect(query.get(name)?.length).toBeGreaterThan(20);
  });

  test("finds the existing account again, and updates a changed name", async () => {
    const { visit, user, server } = await withGoogle();
    await visit("/auth/google", { ...ana });
    const { cookie } = await visit("/auth/google", { ...ana, given_name: "Anna" });
    expect((await user(cookie)).given_name).toBe("Anna");
    expect((await server.db.execute(sql`select 1 from users`)).rowCount).toBe(1);
  });

  test("links a verified e-mail to the existing account, ignoring case", async () => {
    const { visit, server } = await withGoogle();
    const id = await createCustomer(server, "Ana@Example.com");
    await visit("/auth/google", { ...ana });
    const { rows } = await server.db.execute(sql`select id, google_sub from users`);
    expect(rows).toEqual([{ id, google_sub: expect.stringMatching(/^sandbox-/) }]);
  });

  test("drops the password, sessions and tokens of an account whose address nobody had confirmed", async () => {
    const { visit, server } = await withGoogle();
    const id = await createCustomer(server, "ana@example.com");
    const before = new TestVisitor(server);
    await before.signIn();
    await server.db.transaction((tx) => createCliToken(tx, id, { kind: "ci", name: "x", days: 1 }));
    await visit("/auth/google", { ...ana });
    expect(await before.isSignedIn()).toBe(false);
    const { rows } = await server.db.execute(
      sql`select password_hash, email_confirmed_at is not null as is_confirmed, (select count(*)::int from cli_tokens) as tokens from users`,
    );
    expect(rows).toEqual([{ password_hash: null, is_confirmed: true, tokens: 0 }]);
  });

  test("leaves the password of an account whose address is confirmed", async () => {
    const { visit, server } = await withGoogle();
    await createCustomer(server, "ana@example.com");
    await server.db.execute(sql`update users set email_confirmed_at = now()`);
    await visit("/auth/google", { ...ana });
    expect((await new TestVisitor(server).signIn()).statusCode).toBe(200);
  });

  test("asks for the second factor of an account that has two-step verification", async () => {
    const { visit, server } = await withGoogle();
    await createCustomer(server, "ana@example.com");
    await server.db.execute(sql`update users set email_confirmed_at = now(), is_two_step = true`);
    const { location, cookie } = await visit("/auth/google?redirect=/settings", { ...ana });
    expect(location).toBe(`${origin}/settings?second_factor=1`);
    expect(cookie).toBeUndefined();
  });

  test("with an unverified e-mail neither links nor creates an account", async () => {
    const { visit, server } = await withGoogle();
    await createCustomer(server, "ana@example.com");
    for (const email of ["ana@example.com", "new@example.com"]) {
      const { location, cookie } = await visit("/auth/google?redirect=/settings", { email });
      expect(location).toBe(`${origin}/settings?signin_error=error_google_email_unverified`);
      expect(cookie).toBeUndefined();
    }
    const { rows } = await server.db.execute(sql`select google_sub from users`);
    expect(rows).toEqual([{ google_sub: null }]);
  });

  test("is refused if the e-mail's account is linked to another Google account", async () => {
    const { visit, server } = await withGoogle();
    await createCustomer(server, "ana@example.com");
    await server.db.execute(sql`update users set google_sub = '123'`);
    const { location } = await visit("/auth/google", { ...ana });
    expect(location).toBe(`${origin}/?signin_error=error_google_email_taken`);
  });

  test("returns with signin_error if the visitor cancels at Google", async () => {
    const { visit } = await withGoogle();
    const { location, cookie } = await visit("/auth/google?redirect=/projects", { answer: "cancel" });
    expect(location).toBe(`${origin}/projects?signin_error=error_google_failed`);
    expect(cookie).toBeUndefined();
  });

  test.each(["//evil.example", "/\\evil.example", "https:evil.example", "/%09/evil.example", "/%0d%0aSet-Cookie:x=y"])(
    "with redirect=%s stays on our origin",
    async (redirect) => {
      const { visit } = await withGoogle();
      const { location } = await visit(`/auth/google?redirect=${redirect}`, { ...ana });
      expect(new URL(location).origin).toBe(origin);
      const { location: encoded } = await visit(`/auth/google?redirect=${encodeURIComponent(redirect)}`, { ...ana });
      expect(new URL(encoded).origin).toBe(origin);
    },
  );

  test("from /auth/google/cli returns to /clilogin, whatever the redirect", async () => {
    const { visit } = await withGoogle();
    const query = encodeURIComponent("/projects?port=4000&state=abc");
    const { location } = await visit(`/auth/google/cli?redirect=${query}`, { ...ana });
    expect(location).toBe(`${origin}/clilogin?port=4000&state=abc`);
  });
});

describe("a callback is refused", () => {
  test.each([
    ["without the flow cookie", () => ""],
    [
      "with the flow cookie of another sign-in",
      () =>
        `nido_flow=${encodeURIComponent(JSON.stringify({ state: "a", nonce: "b", verifier: "c", returnTo: "/", lang: "es" }))}`,
    ],
    ["with a malformed flow cookie", () => "nido_flow=%7Bnot-json"],
  ])("%s", async (_what, cookie) => {
    const { visit, server } = await withGoogle();
    const { callback } = await visit("/auth/google", { ...ana });
    const replay = await server.app.inject({
      url: callback.pathname + callback.search,
      headers: { host: "localhost:3000", cookie: cookie() },
    });
    expect(replay.headers.location).toBe(`${origin}/?signin_error=error_google_failed`);
    expect(replay.cookies.some(({ name }) => name === "nido_session")).toBe(false);
  });

  test("if its code was used before", async () => {
    const { visit, server } = await withGoogle();
    const { callback, departure } = await visit("/auth/google", { ...ana });
    const flow = departure.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join("; ");
    const replay = await server.app.inject({
      url: callback.pathname + callback.search,
      headers: { host: "localhost:3000", cookie: flow },
    });
    expect(replay.headers.location).toContain("signin_error=error_google_failed");
  });
});

test("without a Google client, /auth/google is 404 and the settings say so", async () => {
  const { app } = await startApp();
  const response = await app.inject({ url: "/auth/google", headers: { host: "localhost:3000" } });
  expect([response.statusCode, response.json()]).toEqual([404, { error: "error_google_unavailable" }]);
  const settings = await app.inject({ url: "/api/settings", headers: { host: "localhost:3000" } });
  expect(settings.json()).toMatchObject({ google: false, brand: "Nido" });
});

test("an unreachable Google is answered with 502, on the second attempt too", async () => {
  const unreachable = {
    issuer: new URL("http://127.0.0.1:1/google"),
    clientId: "a",
    clientSecret: "b",
    allowInsecure: true,
  };
  const { app } = await startApp({ google: unreachable });
  for (let tried = 0; tried < 2; tried++) {
    const response = await app.inject({ url: "/auth/google", headers: { host: "localhost:3000" } });
    expect([response.statusCode, response.json()]).toEqual([502, { error: "error_google_failed" }]);
  }
});

test("twenty concurrent first sign-ins of one person create one account", async () => {
  const { server } = await withGoogle();
  const { signInWithGoogle } = await import("./signIn.ts");
  const identity = {
    sub: "1",
    email: "ana@example.com",
    emailVerified: true,
    givenName: "",
    familyName: "",
    avatarUrl: "",
    lang: "es" as const,
  };
  const visitor = { address: "192.0.2.1", oldSession: undefined, device: "d", userAgent: "", place: "" };
  const entered = await Promise.all(
    Array.from({ length: 20 }, () => signInWithGoogle(server.accounts, identity, visitor)),
  );
  expect(new Set(entered.map((admission) => "userId" in admission && admission.userId)).size).toBe(1);
});
