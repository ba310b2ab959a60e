import type { Security } from "@nido/contract";
import { createCustomer, listen, password, startApp, type TestApp } from "@nido/test-kit/app";
import { readOutbox } from "@nido/test-kit/outbox";
import { openSocket } from "@nido/test-kit/socket";
import { TestVisitor } from "@nido/test-kit/visitor";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { describe, expect, onTestFinished, test, vi } from "vitest";

async function signedIn(server: TestApp, address?: string) {
  const visitor = new TestVisitor(server, address);
  await visitor.signIn();
  return visitor;
}

async function withCustomer() {
  const server = await startApp();
  await createCustomer(server);
  return { server, visitor: await signedIn(server) };
}

const codeOf = (secret: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** Turns two-step verification on, and returns the app's secret and the recovery codes. */
async function withTotp() {
  const { server, visitor } = await withCustomer();
  const { secret } = (await visitor.post("/api/account/totp")).json();
  const confirmed = await visitor.post("/api/account/totp/confirm", { code: codeOf(secret) });
  // The first code is used up, so the next sign-in needs that of a later step.
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  return { server, visitor, secret: secret as string, codes: confirmed.json().recovery_codes as string[] };
}

describe("two-step verification", () => {
  test("an account for which the operator requires it can do nothing else until it is on, and cannot turn it off", async () => {
    const server = await startApp({ env: { SECOND_FACTOR_FOR: "@elsewhere.example, ANA@example.com" } });
    await createCustomer(server);
    await createCustomer(server, "bea@example.com");
    const visitor = await signedIn(server);
    const change = { type: "UPDATE_USER_PHONE", payload: { phone: "600100100" } };
    const refused = { error: "error_two_step_required" };
    expect((await visitor.post("/redux", change)).json()).toEqual(refused);
    expect((await visitor.post("/api/cli/grants", {})).json()).toEqual(refused);
    expect((await visitor.get("/api/activity")).json()).toEqual(refused);
    const { socket, messages } = await openSocket(await listen(server), visitor.browserHeaders());
    socket.send(JSON.stringify(change));
    await eventually(async () => expect(messages).toContainEqual({ action: "UPDATE_USER_PHONE", ...refused }));
    expect((await visitor.get("/redux")).statusCode).toBe(200);
    const { secret } = (await visitor.post("/api/account/totp")).json();
    await visitor.post("/api/account/totp/confirm", { code: codeOf(secret) });
    expect((await visitor.post("/redux", change)).statusCode).toBe(200);
    expect((await visitor.delete("/api/account/two-step")).json()).toEqual(refused);

    const other = new TestVisitor(server, "192.0.2.9");
    await other.signIn("bea@example.com");
    expect((await other.post("/redux", change)).statusCode).toBe(200);
  });

  test("a sign-in needs the password and the app's code, and each code works once", async () => {
    const { server, secret, codes } = await withTotp();
    expect(codes).toHaveLength(10);
    const visitor = new TestVisitor(server, "192.0.2.7");
    const first = await visitor.signIn();
    expect([first.statusCode, first.json()]).toEqual([202, { second_factor: true }]);
    expect(await visitor.isSignedIn()).toBe(false);
    expect((await visitor.get("/auth/second-factor")).json()).toEqual({ methods: ["totp", "recovery"] });
    const code = codeOf(secret);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    expect((await visitor.post("/auth/second-factor", { code: wrong })).json()).toMatchObject({
      error: "error_verification_wrong",
    });
    expect((await visitor.post("/auth/second-factor", { code })).statusCode).toBe(200);
    expect(await visitor.isSignedIn()).toBe(true);

    const thief = new TestVisitor(server, "192.0.2.8");
    await thief.signIn();
    expect((await thief.post("/auth/second-factor", { code })).statusCode).toBe(400);
  });

  test("a recovery code replaces the app once, and the owner is told", async () => {
    const { server, codes } = await withTotp();
    const visitor = new TestVisitor(server, "192.0.2.7");
    await visitor.signIn();
    const typed = codes[0]?.toLowerCase().replaceAll("-", " ");
    expect((await visitor.post("/auth/second-factor", { recovery_code: typed })).statusCode).toBe(200);
    expect((await readOutbox(server)).map(({ params }) => params)).toContainEqual({ change: "recoveryCodeUsed" });
    const { recovery_codes_left: left }: Security = (await visitor.get("/api/account/security")).json();
    expect(left).toBe(9);
    const again = new TestVisitor(server, "192.0.2.8");
    await again.signIn();
    expect((await again.post("/auth/second-factor", { recovery_code: codes[0] })).statusCode).toBe(400);
  });

  test("a challenge has five tries, and an account twenty in a quarter of an hour, however often the password is given", async () => {
    const { server, secret } = await withTotp();
    let guessed = 0;
    const statuses = new Set<number>();
    for (let round = 0; round < 6; round++) {
      const thief = new TestVisitor(server, `192.0.2.${10 + round}`);
      await thief.signIn();
      for (let n = 0; n < 6; n++) {
        const guess = String((Number(codeOf(secret)) + 7 + guessed) % 1_000_000).padStart(6, "0");
        const { statusCode } = await thief.post("/auth/second-factor", { code: guess });
        statuses.add(statusCode);
        if (statusCode === 400) guessed++;
      }
    }
    expect(guessed).toBe(20);
    expect([...statuses].toSorted()).toEqual([400, 403, 429]);
  });

  test("a second factor is asked for in the browser that gave the password only, and not after a reset", async () => {
    const { server, secret } = await withTotp();
    const owner = new TestVisitor(server, "192.0.2.7");
    await owner.signIn();
    const stranger = new TestVisitor(server, "192.0.2.8");
    expect((await stranger.post("/auth/second-factor", { code: codeOf(secret) })).json()).toMatchObject({
      error: "error_sign_in_again",
    });
    await stranger.post("/auth/reset", { email: "ana@example.com", lang: "es" });
    const { token } = (await readOutbox(server)).at(-1)?.secrets ?? {};
    await stranger.post("/auth/reset/finish", { token, password: "Fresh1234" });
    expect((await owner.post("/auth/second-factor", { code: codeOf(secret) })).json()).toMatchObject({
      error: "error_sign_in_again",
    });
    // A reset does not replace the second factor.
    expect((await stranger.signIn("ana@example.com", "Fresh1234")).statusCode).toBe(202);
  });

  test("can be turned off, after which the password is enough", async () => {
    const { server, visitor } = await withTotp();
    expect((await visitor.delete("/api/account/two-step")).statusCode).toBe(200);
    const other = await signedIn(server, "192.0.2.7");
    expect(await other.isSignedIn()).toBe(true);
    expect((await server.db.execute(sql`select 1 from recovery_codes`)).rows).toEqual([]);
  });

  test("secrets of apps and recovery codes are not in the database", async () => {
    const { server, secret, codes } = await withTotp();
    const { rows } = await server.db.execute<{ dump: string }>(
      sql`select (select json_agg(u)::text from users u) || (select json_agg(r)::text from recovery_codes r) as dump`,
    );
    for (const text of [secret, Buffer.from(secret).toString("hex"), ...codes])
      expect(rows[0]?.dump).not.toContain(text);
  });
});

describe("a sensitive action needs a recent proof:", () => {
  const actions: [string, (visitor: TestVisitor) => ReturnType<TestVisitor["post"]>][] = [
    ["setting up an app", (visitor) => visitor.post("/api/account/totp")],
    ["turning two-step verification off", (visitor) => visitor.delete("/api/account/two-step")],
    ["new recovery codes", (visitor) => visitor.post("/api/account/recovery-codes")],
    ["adding a passkey", (visitor) => visitor.post("/api/account/passkeys/options")],
    ["removing a passkey", (visitor) => visitor.delete("/api/account/passkeys/x")],
    ["unlinking Google", (visitor) => visitor.post("/api/account/google/unlink")],
    ["another e-mail address", (visitor) => visitor.post("/api/account/email", { email: "x@example.com" })],
    [
      "giving the CLI access",
      (visitor) => visitor.post("/api/cli/grants", { challenge: "c".repeat(43), machine: "pc" }),
    ],
    ["a payout", (visitor) => visitor.post("/api/referral/payout")],
    ["deleting a project", (visitor) => visitor.post("/redux", { type: "DELETE_PROJECT", payload: { id: "x" } })],
  ];
  test.each(actions)("%s", async (_what, act) => {
    const { server, visitor } = await withCustomer();
    await server.db.execute(sql`update sessions set proven_at = now() - interval '11 minutes'`);
    expect((await act(visitor)).json()).toMatchObject({ error: "error_proof_needed" });

    expect((await visitor.get("/api/account/proof")).json()).toEqual({ methods: ["password"] });
    expect((await visitor.post("/api/account/proof", { password: "Wrong1234" })).statusCode).toBe(403);
    expect((await visitor.post("/api/account/proof", { password })).statusCode).toBe(200);
    expect((await act(visitor)).json()).not.toMatchObject({ error: "error_proof_needed" });
  });

  test("a proof counts for a WebSocket that was open before", async () => {
    const { server, visitor } = await withCustomer();
    const address = await listen(server);
    await server.db.execute(sql`update sessions set proven_at = now() - interval '11 minutes'`);
    const { socket, messages } = await openSocket(address, visitor.browserHeaders());
    const remove = () => socket.send(JSON.stringify({ type: "DELETE_PROJECT", payload: { id: "x" } }));
    remove();
    await eventually(() => expect(messages.at(-1)).toMatchObject({ error: "error_proof_needed" }));
    await visitor.get("/api/account/proof");
    await visitor.post("/api/account/proof", { password });
    remove();
    await eventually(() => expect(messages.at(-1)).toMatchObject({ error: "error_project_not_found" }));
  });

  test("a passkey with the longest possible id can be removed", async () => {
    const { server, visitor } = await withCustomer();
    const id = "x".repeat(1364);
    await server.db.execute(sql`insert into passkeys (id, user_id, name, public_key, counter)
      select ${id}, id, 'x', 'x'::bytea, 0 from users`);
    expect((await visitor.delete(`/api/account/passkeys/${id}`)).statusCode).toBe(200);
  });

  test("with two-step verification, the password alone is no proof", async () => {
    const { server, visitor, secret } = await withTotp();
    await server.db.execute(sql`update sessions set proven_at = now() - interval '11 minutes'`);
    expect((await visitor.get("/api/account/proof")).json()).toEqual({ methods: ["totp", "recovery"] });
    expect((await visitor.post("/api/account/proof", { password })).statusCode).toBe(403);
    expect((await visitor.post("/api/account/proof", { code: codeOf(secret) })).statusCode).toBe(200);
  });
});

describe("sessions", () => {
  test("are listed with device, network and times, and one can be ended: its socket closes", async () => {
    const { server, visitor } = await withCustomer();
    const address = await listen(server);
    const other = new TestVisitor(server, "203.0.113.9");
    other.userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    await other.signIn();
    const { closes } = await openSocket(address, other.browserHeaders());
    const { sessions }: Security = (await visitor.get("/api/account/security")).json();
    expect(sessions).toHaveLength(2);
    const theirs = sessions.find(({ is_current }) => !is_current);
    expect(theirs).toMatchObject({ device: "Firefox · Linux", place: "203.0.113.*" });
    expect((await readOutbox(server)).at(-1)).toMatchObject({
      template: "newDevice",
      params: { device: "Firefox · Linux", place: "203.0.113.*" },
    });

    expect((await visitor.delete(`/api/account/sessions/${theirs?.id}`)).statusCode).toBe(200);
    expect(await other.isSignedIn()).toBe(false);
    await eventually(() => expect(closes).toEqual([4401]));
    expect(await visitor.isSignedIn()).toBe(true);
  });

  test("of another customer do not exist", async () => {
    const { server, visitor } = await withCustomer();
    await createCustomer(server, "bea@example.com");
    const bea = new TestVisitor(server);
    await bea.signIn("bea@example.com");
    const { sessions }: Security = (await bea.get("/api/account/security")).json();
    expect((await visitor.delete(`/api/account/sessions/${sessions[0]?.id}`)).statusCode).toBe(404);
    expect(await bea.isSignedIn()).toBe(true);
  });

  test("can be ended all at once, except this one", async () => {
    const { server, visitor } = await withCustomer();
    const others = await Promise.all([signedIn(server, "192.0.2.5"), signedIn(server, "192.0.2.6")]);
    await visitor.delete("/api/account/sessions");
    expect(await Promise.all([visitor, ...others].map((each) => each.isSignedIn()))).toEqual([true, false, false]);
  });

  test("end after their idle and their absolute lifetime", async () => {
    const server = await startApp({ env: { SESSION_DAYS: "20", SESSION_IDLE_DAYS: "5" } });
    await createCustomer(server);
    const visitor = await signedIn(server);
    const age = async (column: string, days: number) => {
      await server.db.execute(
        sql`update sessions set ${sql.identifier(column)} = now() - make_interval(days => ${days})`,
      );
      server.live.sessions.forgetAll();
    };
    await age("last_seen_at", 4);
    expect(await visitor.isSignedIn()).toBe(true);
    await age("last_seen_at", 6);
    expect(await visitor.isSignedIn()).toBe(false);
    const fresh = await signedIn(server);
    await age("expires_at", 0);
    expect(await fresh.isSignedIn()).toBe(false);
  });

  test("from a browser that is known are not announced", async () => {
    const { server, visitor } = await withCustomer();
    await visitor.signIn();
    expect(await readOutbox(server)).toEqual([]);
  });
});

test("an account is never left without a way in", async () => {
  const { server, visitor } = await withCustomer();
  await server.db.execute(sql`update users set password_hash = null, google_sub = '1'`);
  expect((await visitor.post("/api/account/google/unlink")).json()).toMatchObject({ error: "error_last_way_in" });
  const { has_google: hasGoogle }: Security = (await visitor.get("/api/account/security")).json();
  expect(hasGoogle).toBe(true);
});
