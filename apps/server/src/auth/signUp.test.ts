import { createCustomer, password, startApp, type TestApp } from "@nido/test-kit/app";
import { readOutbox } from "@nido/test-kit/outbox";
import { TestVisitor } from "@nido/test-kit/visitor";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { verifications } from "../db/schema.ts";

const email = "new@example.com";
const redirect = "/newproject/purchase?category=static&plan=price_1&domain=mysite";

async function signUp(server: TestApp, visitor = new TestVisitor(server), address = email) {
  const response = await visitor.post("/auth/signup", { email: address, password, lang: "en", redirect });
  return { visitor, response };
}

async function lastSecrets(server: TestApp) {
  const message = (await readOutbox(server)).at(-1);
  if (!message) throw new Error("There is no message");
  return message.secrets;
}

describe("signing up", () => {
  test("by the code: the account exists from then on, and the visitor goes on where they were", async () => {
    const server = await startApp();
    const { visitor, response } = await signUp(server);
    expect(response.json()).toEqual({ ok: true });
    expect(await visitor.isSignedIn()).toBe(false);
    expect((await server.db.execute(sql`select 1 from users`)).rows).toEqual([]);

    const { code } = await lastSecrets(server);
    const confirmed = await visitor.post("/auth/signup/confirm", { code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
    expect(confirmed.json()).toEqual({ redirect });
    expect(await visitor.isSignedIn()).toBe(true);
    expect((await visitor.get("/redux")).json().user).toMatchObject({ email, lang: "en", password: true });
    expect((await readOutbox(server)).map(({ to, template, lang }) => [to, template, lang])).toEqual([
      [email, "confirmAddress", "en"],
      [email, "welcome", "en"],
    ]);
    expect((await visitor.post("/auth/signup/confirm", { code })).statusCode).toBe(400);
  });

  test("by the link in the same browser", async () => {
    const server = await startApp();
    const { visitor } = await signUp(server);
    const { token } = await lastSecrets(server);
    expect((await visitor.post("/auth/signup/confirm", { token })).json()).toEqual({ redirect });
    expect(await visitor.isSignedIn()).toBe(true);
  });

  test("by the link in another browser, only with the password: the owner of an address opens no stranger's account", async () => {
    const server = await startApp();
    await signUp(server);
    const { token } = await lastSecrets(server);
    const phone = new TestVisitor(server, "192.0.2.2");
    expect((await phone.post("/auth/signup/confirm", { token })).json()).toMatchObject({
      error: "error_password_needed",
    });
    const wrong = await phone.post("/auth/signup/confirm", { token, password: "Wrong1234" });
    expect(wrong.json()).toMatchObject({ error: "error_invalid_credentials" });
    expect((await phone.post("/auth/signup/confirm", { token, password })).json()).toEqual({ redirect });
    expect(await phone.isSignedIn()).toBe(true);
    expect((await phone.post("/auth/signup/confirm", { token, password })).statusCode).toBe(410);
  });

  test("a code can be asked for again; the earlier one is void", async () => {
    const server = await startApp();
    const { visitor } = await signUp(server);
    const first = await lastSecrets(server);
    expect((await visitor.post("/auth/signup/resend")).statusCode).toBe(200);
    const second = await lastSecrets(server);
    expect((await visitor.post("/auth/signup/confirm", { token: first.token })).statusCode).toBe(410);
    expect((await visitor.post("/auth/signup/confirm", { code: second.code })).statusCode).toBe(200);
  });

  test("with an address that has an account: same answer, no account, and its owner is told", async () => {
    const server = await startApp();
    await createCustomer(server, "Ana@example.com");
    const known = await signUp(server, new TestVisitor(server), "ana@EXAMPLE.com");
    const unknown = await signUp(server);
    expect(known.response.body).toBe(unknown.response.body);
    expect((await readOutbox(server))[0]).toMatchObject({ to: "Ana@example.com", template: "alreadyRegistered" });
    expect((await known.visitor.post("/auth/signup/resend")).statusCode).toBe(200);
    expect((await known.visitor.post("/auth/signup/confirm", { code: "123456" })).json()).toMatchObject({
      error: "error_verification_wrong",
    });
  });

  test.each([
    ["an address", { email: "no address" }, "error_email_invalid"],
    ["a password", { password: "short" }, "error_password_too_short"],
    ["no unknown field", { admin: true }, "error_invalid_input"],
  ])("needs %s", async (_what, change, error) => {
    const server = await startApp();
    const response = await new TestVisitor(server).post("/auth/signup", { email, password, lang: "es", ...change });
    expect(response.json()).toMatchObject({ error });
    expect(await readOutbox(server)).toEqual([]);
  });

  test("never redirects to another origin", async () => {
    const server = await startApp();
    const visitor = new TestVisitor(server);
    await visitor.post("/auth/signup", { email, password, lang: "es", redirect: "//evil.example/x" });
    const { code } = await lastSecrets(server);
    expect((await visitor.post("/auth/signup/confirm", { code })).json()).toEqual({ redirect: "/" });
  });

  test("the same confirmation twenty times at once creates one account and one welcome", async () => {
    const server = await startApp();
    const { visitor } = await signUp(server);
    const { token } = await lastSecrets(server);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => visitor.post("/auth/signup/confirm", { token })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect((await readOutbox(server)).filter(({ template }) => template === "welcome")).toHaveLength(1);
  });

  test("after a quarter of an hour neither code nor link work", async () => {
    const server = await startApp();
    const { visitor } = await signUp(server);
    const { code, token } = await lastSecrets(server);
    await server.db.execute(sql`update verifications set expires_at = now()`);
    expect((await visitor.post("/auth/signup/confirm", { code })).statusCode).toBe(400);
    expect((await visitor.post("/auth/signup/confirm", { token })).statusCode).toBe(410);
  });
});

test("a code has five tries, in however many processes and requests", async () => {
  const one = await startApp();
  const two = await startApp({ databaseUrl: one.databaseUrl });
  const { response } = await signUp(one);
  const browser = response.cookies[0]?.value ?? "";
  const { code } = await lastSecrets(one);
  const { checkCode } = await import("./verifications.ts");
  const guesses = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(6, "0")).filter(
    (guess) => guess !== code,
  );
  for (let start = 0; start < guesses.length; start += 500) {
    const batch = guesses.slice(start, start + 500);
    await Promise.all(batch.map((guess, n) => checkCode((n % 2 ? one : two).accounts, "signUp", browser, guess)));
  }
  const [row] = await one.db.select().from(verifications);
  expect(row?.tries).toBe(5);
  expect(await checkCode(one.accounts, "signUp", browser, code)).toBeUndefined();
});

test("the requests that cause mail to one address are limited, whether or not it has an account", async () => {
  const server = await startApp();
  await createCustomer(server, "ana@example.com");
  for (const [name, network] of [
    ["ana", "198.51.100"],
    ["nobody", "203.0.113"],
  ] as const) {
    const ask = async (host: number, tag = "") =>
      (await signUp(server, new TestVisitor(server, `${network}.${host}`), `${name}${tag}@example.com`)).response
        .statusCode;
    const statuses = [];
    for (let n = 0; n < 7; n++) statuses.push(await ask(1));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    // A stranger who used up their own share does not keep the owner from asking, but all together have a limit, too.
    const elsewhere = [];
    for (let n = 0; n < 20; n++) elsewhere.push(await ask(2 + n, `+${n}`));
    expect(elsewhere.filter((status) => status === 200)).toHaveLength(15);
  }
});

test("links, codes and browsers' secrets are not in the database, neither in the clear nor hashed without a secret", async () => {
  const server = await startApp();
  const { response } = await signUp(server);
  const { code, token } = await lastSecrets(server);
  const { rows } = await server.db.execute<{ dump: string }>(sql`
    select (select json_agg(v)::text from verifications v) || (select json_agg(m)::text from mail_messages m)
      || (select json_agg(a)::text from attempts a) || (select json_agg(j)::text from graphile_worker._private_jobs j) as dump`);
  const dump = rows[0]?.dump ?? "";
  expect(dump).toContain(email);
  const { createHash } = await import("node:crypto");
  const hashed = createHash("sha256").update(code).digest("hex");
  for (const secret of [token, `"${code}"`, hashed, response.cookies[0]?.value ?? "", password])
    expect(dump).not.toContain(secret);
});
