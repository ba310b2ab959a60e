import { createCustomer, password, signIn, startApp, type TestApp } from "@nido/test-kit/app";
import { readOutbox } from "@nido/test-kit/outbox";
import { TestVisitor } from "@nido/test-kit/visitor";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

const [old, changed] = ["ana@example.com", "ana@new.example"];

async function signedIn(server: TestApp) {
  await createCustomer(server);
  const visitor = new TestVisitor(server);
  await visitor.signIn();
  return visitor;
}

async function lastSecrets(server: TestApp, template: string) {
  return (
    (await readOutbox(server)).findLast((message) => message.template === template)?.secrets ?? { code: "", token: "" }
  );
}

async function emailOf({ db }: TestApp) {
  return (await db.execute<{ email: string }>(sql`select email from users`)).rows[0]?.email;
}

test("the address changes when the new one is confirmed, and the old one is told and can undo it", async () => {
  const server = await startApp();
  const visitor = await signedIn(server);
  expect((await visitor.post("/api/account/email", { email: changed })).statusCode).toBe(200);
  expect(await emailOf(server)).toBe(old);
  const { token } = await lastSecrets(server, "confirmNewEmail");
  expect((await visitor.post("/auth/email/confirm", { token })).statusCode).toBe(200);
  expect(await emailOf(server)).toBe(changed);
  expect((await readOutbox(server)).at(-1)).toMatchObject({
    to: old,
    template: "emailChanged",
    params: { newEmail: changed },
  });

  // While it can be undone, nobody else can take the old address.
  const stranger = new TestVisitor(server, "192.0.2.9");
  await stranger.post("/auth/signup", { email: old, password, lang: "es" });
  expect((await readOutbox(server)).at(-1)).toMatchObject({ to: old, template: "alreadyRegistered" });

  const undo = await lastSecrets(server, "emailChanged");
  expect((await stranger.post("/auth/email/undo", { token: undo.token })).statusCode).toBe(200);
  expect(await emailOf(server)).toBe(old);
  expect(await visitor.isSignedIn()).toBe(false);
  expect((await signIn(server)).cookie).toBe("");
  const reset = await lastSecrets(server, "resetPassword");
  await stranger.post("/auth/reset/finish", { token: reset.token, password: "Fresh1234" });
  expect((await signIn(server, old, "Fresh1234")).cookie).toContain("nido_session");
  expect((await stranger.post("/auth/email/undo", { token: undo.token })).statusCode).toBe(410);
});

test("the code works in the browser that asked, and in no other", async () => {
  const server = await startApp();
  const visitor = await signedIn(server);
  await visitor.post("/api/account/email", { email: changed });
  const { code } = await lastSecrets(server, "confirmNewEmail");
  expect((await new TestVisitor(server, "192.0.2.9").post("/auth/email/confirm", { code })).statusCode).toBe(400);
  expect((await visitor.post("/auth/email/confirm", { code })).statusCode).toBe(200);
  expect(await emailOf(server)).toBe(changed);
});

test("an address of another account gets the same answer; its owner is told, and nothing changes", async () => {
  const server = await startApp();
  const visitor = await signedIn(server);
  await createCustomer(server, "bea@example.com");
  const taken = await visitor.post("/api/account/email", { email: "bea@example.com" });
  const free = await visitor.post("/api/account/email", { email: changed });
  expect([taken.statusCode, taken.body]).toEqual([free.statusCode, free.body]);
  expect((await readOutbox(server))[0]).toMatchObject({ to: "bea@example.com", template: "newEmailTaken" });
});

test("an address that another account got in the meantime stays theirs", async () => {
  const server = await startApp();
  const visitor = await signedIn(server);
  await visitor.post("/api/account/email", { email: changed });
  const { token } = await lastSecrets(server, "confirmNewEmail");
  await createCustomer(server, changed);
  expect((await visitor.post("/auth/email/confirm", { token })).json()).toMatchObject({ error: "error_email_taken" });
});

test("it needs a recent sign-in", async () => {
  const server = await startApp();
  const visitor = await signedIn(server);
  await server.db.execute(sql`update sessions set proven_at = now() - interval '1 hour'`);
  expect((await visitor.post("/api/account/email", { email: changed })).json()).toMatchObject({
    error: "error_proof_needed",
  });
  expect(await readOutbox(server)).toEqual([]);
});

test("the link confirms nothing for the owner of an address that a stranger asked for", async () => {
  const server = await startApp();
  const stranger = await signedIn(server);
  await stranger.post("/api/account/email", { email: changed });
  const { token } = await lastSecrets(server, "confirmNewEmail");
  const owner = new TestVisitor(server, "192.0.2.9");
  expect((await owner.post("/auth/email/confirm", { token })).json()).toMatchObject({ error: "error_link_elsewhere" });
  expect(await emailOf(server)).toBe(old);
  // The customer who asked may use it in another browser, once they are signed in there.
  await owner.signIn();
  expect((await owner.post("/auth/email/confirm", { token })).statusCode).toBe(200);
});

test("a thief who changes the address twice and undoes the second change cannot take the owner's undo away", async () => {
  const server = await startApp();
  const thief = await signedIn(server);
  const changeTo = async (email: string) => {
    await thief.post("/api/account/email", { email });
    const { token } = await lastSecrets(server, "confirmNewEmail");
    expect((await thief.post("/auth/email/confirm", { token })).statusCode).toBe(200);
    return (await lastSecrets(server, "emailChanged")).token;
  };
  const owners = await changeTo("thief1@example.com");
  const thiefs = await changeTo("thief2@example.com");
  expect((await thief.post("/auth/email/undo", { token: thiefs })).statusCode).toBe(200);
  expect(await emailOf(server)).toBe("thief1@example.com");
  expect((await new TestVisitor(server, "192.0.2.9").post("/auth/email/undo", { token: owners })).statusCode).toBe(200);
  expect(await emailOf(server)).toBe(old);
});

test("an undo removes the factors that were added shortly before, but not the owner's older ones", async () => {
  const server = await startApp();
  const thief = await signedIn(server);
  await server.db.execute(sql`update users set google_sub = 'thief', google_linked_at = now(), totp_secret = 'x',
    totp_at = now(), is_two_step = true`);
  await server.db.execute(sql`insert into passkeys (id, user_id, name, public_key, counter, created_at)
    select 'new', id, 'x', 'x'::bytea, 0, now() - interval '1 hour' from users
    union all select 'old', id, 'x', 'x'::bytea, 0, now() - interval '1 year' from users`);
  await server.db.execute(sql`insert into recovery_codes (user_id, code_hash) select id, 'x' from users`);
  await thief.post("/api/account/email", { email: changed });
  const { token } = await lastSecrets(server, "confirmNewEmail");
  await thief.post("/auth/email/confirm", { token });
  const undo = await lastSecrets(server, "emailChanged");
  await new TestVisitor(server, "192.0.2.9").post("/auth/email/undo", { token: undo.token });
  const { rows } = await server.db.execute(sql`select google_sub, totp_secret, is_two_step,
    (select array_agg(id) from passkeys) as passkeys, (select count(*)::int from recovery_codes) as codes from users`);
  expect(rows).toEqual([{ google_sub: null, totp_secret: null, is_two_step: true, passkeys: ["old"], codes: 0 }]);
});

test("a new password, and ending the other sessions, void a change that was asked for", async () => {
  const server = await startApp();
  const thief = await signedIn(server);
  const owner = new TestVisitor(server, "192.0.2.9");
  await owner.signIn();
  for (const defend of [
    () => owner.post("/redux", { type: "UPDATE_USER_PASSWORD", payload: { password: "Fresh1234" } }),
    () => owner.delete("/api/account/sessions"),
  ]) {
    await thief.signIn();
    await thief.signIn(old, "Fresh1234");
    await thief.post("/api/account/email", { email: changed });
    const { token } = await lastSecrets(server, "confirmNewEmail");
    expect((await defend()).statusCode).toBe(200);
    expect((await thief.post("/auth/email/confirm", { token })).statusCode).toBe(410);
  }
  expect(await emailOf(server)).toBe(old);
});
