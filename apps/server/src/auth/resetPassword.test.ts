import { createCustomer, password, signIn, startApp, type TestApp } from "@nido/test-kit/app";
import { testLong } from "@nido/test-kit/long";
import { readOutbox } from "@nido/test-kit/outbox";
import { TestVisitor } from "@nido/test-kit/visitor";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createCliToken } from "../cli/accessTokens.ts";
import { hashPassword } from "./passwords.ts";

const email = "ana@example.com";
const fresh = "Fresh1234";

async function askFor(server: TestApp, address = email) {
  const visitor = new TestVisitor(server);
  const response = await visitor.post("/auth/reset", { email: address, lang: "es" });
  const { token = "" } = (await readOutbox(server)).at(-1)?.secrets ?? {};
  return { visitor, response, token };
}

test("a reset sets the password, ends every session and token, works once, and is announced", async () => {
  const server = await startApp();
  const userId = await createCustomer(server);
  const before = await signIn(server);
  for (const kind of ["login", "ci"] as const)
    await server.db.transaction((tx) => createCliToken(tx, userId, { kind, name: kind, days: 1 }));
  const { visitor, token } = await askFor(server);
  expect((await visitor.post("/auth/reset/check", { token })).statusCode).toBe(200);
  expect((await visitor.post("/auth/reset/finish", { token, password: fresh })).json()).toEqual({ ok: true });

  expect((await server.app.inject({ url: "/redux", headers: before })).statusCode).toBe(401);
  expect((await server.db.execute(sql`select 1 from cli_tokens`)).rows).toEqual([]);
  expect((await signIn(server)).cookie).toBe("");
  expect((await signIn(server, email, fresh)).cookie).toContain("nido_session");
  expect((await readOutbox(server)).map(({ to, template }) => [to, template])).toEqual([
    [email, "resetPassword"],
    [email, "passwordChanged"],
    [email, "newDevice"],
  ]);
  expect((await visitor.post("/auth/reset/finish", { token, password: "Again1234" })).statusCode).toBe(410);
});

test("an unknown address gets the same answer, and a message that there is no account", async () => {
  const server = await startApp();
  await createCustomer(server);
  const known = await askFor(server);
  const unknown = await askFor(server, "nobody@example.com");
  expect([unknown.response.statusCode, unknown.response.body]).toEqual([
    known.response.statusCode,
    known.response.body,
  ]);
  expect((await readOutbox(server)).at(-1)).toMatchObject({ to: "nobody@example.com", template: "noAccount" });
});

test("a weak password changes nothing, and the link still works", async () => {
  const server = await startApp();
  await createCustomer(server);
  const { visitor, token } = await askFor(server);
  const weak = await visitor.post("/auth/reset/finish", { token, password: "weak" });
  expect(weak.json()).toMatchObject({ error: "error_password_too_short" });
  expect((await signIn(server)).cookie).toContain("nido_session");
  expect((await visitor.post("/auth/reset/finish", { token, password: fresh })).statusCode).toBe(200);
});

test("a reset voids other resets that are pending, and a link expires", async () => {
  const server = await startApp();
  await createCustomer(server);
  const first = await askFor(server);
  const second = await askFor(server);
  await second.visitor.post("/auth/reset/finish", { token: second.token, password: fresh });
  expect((await first.visitor.post("/auth/reset/finish", { token: first.token, password })).statusCode).toBe(410);
  const third = await askFor(server);
  await server.db.execute(sql`update verifications set expires_at = now()`);
  expect((await third.visitor.post("/auth/reset/check", { token: third.token })).statusCode).toBe(410);
});

test("a link of another kind sets no password", async () => {
  const server = await startApp();
  await createCustomer(server);
  const visitor = new TestVisitor(server);
  await visitor.post("/auth/signup", { email: "other@example.com", password, lang: "es" });
  const token = (await readOutbox(server)).at(-1)?.secrets.token;
  expect((await visitor.post("/auth/reset/finish", { token, password: fresh })).statusCode).toBe(410);
});

testLong(
  "two hundred known and two hundred unknown addresses: same status, body and database work, on all three forms",
  async () => {
    const server = await startApp();
    const names = Array.from({ length: 200 }, (_, n) => n);
    const hash = await hashPassword(password);
    await server.db.execute(sql`insert into users (email, refcode, password_hash)
    select 'known' || n || '@example.com', 'ref' || n, ${hash} from generate_series(0, 199) n`);
    const forms = {
      signUp: (visitor: TestVisitor, address: string) =>
        visitor.post("/auth/signup", { email: address, password, lang: "es" }),
      reset: (visitor: TestVisitor, address: string) => visitor.post("/auth/reset", { email: address, lang: "es" }),
      signIn: (visitor: TestVisitor, address: string) => visitor.signIn(address, "Wrong1234"),
    };
    for (const [form, send] of Object.entries(forms)) {
      const work = async (kind: string) => {
        const statements = countStatements(server);
        const answers = new Set<string>();
        for (const n of names) {
          const visitor = new TestVisitor(server, `${form} ${kind} ${n}`);
          const { statusCode, body } = await send(visitor, `${kind}${n}@example.com`);
          answers.add(`${statusCode} ${body}`);
        }
        return { answers: [...answers], statements: statements.stop() };
      };
      expect(await work("unknown")).toEqual(await work("known"));
    }
  },
);

/** How many statements of each kind the server sends to the database. */
function countStatements({ essentialDb }: TestApp) {
  const counts = new Map<string, number>();
  const clients = new Set<{ query: unknown }>();
  const pool = essentialDb.$client;
  const watch = (client: { query: (...input: never[]) => unknown }) => {
    if (clients.has(client)) return;
    clients.add(client);
    const { query } = client;
    client.query = (...input: never[]) => {
      const [first] = input as unknown as [string | { text: string }];
      const text = (typeof first === "string" ? first : first.text).replace(/\s+/g, " ").slice(0, 40);
      counts.set(text, (counts.get(text) ?? 0) + 1);
      return query.apply(client, input);
    };
  };
  const onAcquire = (client: unknown) => watch(client as never);
  pool.on("acquire", onAcquire);
  return {
    stop: () => {
      pool.off("acquire", onAcquire);
      for (const client of clients) delete (client as { query?: unknown }).query;
      return Object.fromEntries([...counts].toSorted());
    },
  };
}
