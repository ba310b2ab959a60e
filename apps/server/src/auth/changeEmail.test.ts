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
