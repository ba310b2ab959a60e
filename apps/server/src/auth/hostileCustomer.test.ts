import { createCustomer, origin, password, signIn, startApp, type TestApp } from "@nido/test-kit/app";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, onTestFinished, test, vi } from "vitest";
import { connect } from "../db/connect.ts";

/** Hashing this password waits until the test lets it go on. */
const hashing = vi.hoisted(() => ({ password: "Slow12345", begun: 0, ...Promise.withResolvers<void>() }));

vi.mock(import("@node-rs/argon2"), async (load) => {
  const argon2 = await load();
  const hash: typeof argon2.hash = async (secret, ...rest) => {
    if (secret === hashing.password) {
      hashing.begun++;
      await hashing.promise;
    }
    return argon2.hash(secret, ...rest);
  };
  return { ...argon2, hash };
});

/** Makes a request fail that waits long for a connection, as in the product. */
function failWithoutConnection({ db, essentialDb }: TestApp) {
  for (const { $client } of [db, essentialDb]) $client.options.connectionTimeoutMillis = 1000;
}

type Headers = Awaited<ReturnType<typeof signIn>>;

async function act({ app }: TestApp, headers: Headers, type: string, payload: object): Promise<number> {
  return (await app.inject({ method: "POST", url: "/redux", headers, payload: { type, payload } })).statusCode;
}

const changePhone = (server: TestApp, headers: Headers) =>
  act(server, headers, "UPDATE_USER_PHONE", { phone: "123456789" });

test("sixty parallel password changes of one customer do not make a neighbour's requests fail", async () => {
  const server = await startApp();
  await createCustomer(server);
  await createCustomer(server, "neighbour@example.com");
  const [headers, neighbour] = [await signIn(server), await signIn(server, "neighbour@example.com")];
  failWithoutConnection(server);

  const change = () => act(server, headers, "UPDATE_USER_PASSWORD", { password: "Other1234" });
  let isOver = false;
  const attack = Promise.all(Array.from({ length: 60 }, change)).finally(() => {
    isOver = true;
  });
  const statuses: number[] = [];
  while (!isOver) {
    const answers = await Promise.all([
      server.app.inject({ url: "/healthz" }).then(({ statusCode }) => statusCode),
      server.app.inject({ url: "/redux", headers: neighbour }).then(({ statusCode }) => statusCode),
      changePhone(server, neighbour),
      signIn(server, "neighbour@example.com", password).then(({ cookie }) => (cookie ? 200 : 401)),
    ]);
    statuses.push(...answers);
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(0);
  // The attacker's own requests succeed, or are refused once too many wait.
  const own = await attack;
  expect(own.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(own.filter((status) => status === 200).length).toBeGreaterThanOrEqual(50);
});

test("changes of one customer that wait for a lock leave the connections to a neighbour", async () => {
  const server = await startApp();
  const id = await createCustomer(server);
  await createCustomer(server, "neighbour@example.com");
  const [headers, neighbour] = [await signIn(server), await signIn(server, "neighbour@example.com")];
  failWithoutConnection(server);
  // Another process is changing this customer.
  const other = connect(server.databaseUrl);
  const holder = await other.$client.connect();
  onTestFinished(async () => {
    await holder.query("rollback");
    holder.release();
    await other.$client.end();
  });
  await holder.query("begin");
  await holder.query("select from users where id = $1 for update", [id]);

  const attack = Promise.all(Array.from({ length: 60 }, () => changePhone(server, headers)));
  await eventually(async () => {
    const { rows } = await other.$client.query("select from pg_locks where not granted");
    expect(rows).not.toEqual([]);
  });
  for (let n = 0; n < 10; n++) expect(await changePhone(server, neighbour)).toBe(200);

  await holder.query("rollback");
  const own = await attack;
  expect(own.filter((status) => status === 200)).toHaveLength(50);
  expect(own.filter((status) => status === 429)).toHaveLength(10);
});

test("health checks and sign-ins succeed while all other connections are in use", async () => {
  const server = await startApp();
  await createCustomer(server);
  failWithoutConnection(server);
  const pool = server.db.$client;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  onTestFinished(() => {
    for (const client of held) client.release();
  });
  expect((await server.app.inject({ url: "/healthz" })).statusCode).toBe(200);
  expect((await signIn(server)).cookie).not.toBe("");
});

test("password changes that wait for the hashing hold no connection", async () => {
  const server = await startApp();
  onTestFinished(() => hashing.resolve());
  const hasty: Headers[] = [];
  for (let n = 0; n < 12; n++) {
    await createCustomer(server, `hasty${n}@example.com`);
    hasty.push(await signIn(server, `hasty${n}@example.com`));
  }
  await createCustomer(server, "neighbour@example.com");
  const neighbour = await signIn(server, "neighbour@example.com");
  failWithoutConnection(server);

  const changes = hasty.map((headers) => act(server, headers, "UPDATE_USER_PASSWORD", { password: hashing.password }));
  await eventually(() => expect(hashing.begun).toBeGreaterThan(0));
  for (let n = 0; n < 10; n++) expect(await changePhone(server, neighbour)).toBe(200);
  hashing.resolve();
  expect(await Promise.all(changes)).toEqual(Array(12).fill(200));
});

test("a session that is older than ten minutes cannot set a first password", async () => {
  const server = await startApp();
  const id = await createCustomer(server);
  const headers = await signIn(server);
  await server.db.$client.query("update users set password_hash = null where id = $1", [id]);
  const set = () =>
    server.app.inject({
      method: "POST",
      url: "/redux",
      headers: { ...headers, origin },
      payload: { type: "UPDATE_USER_PASSWORD", payload: { password: "First1234" } },
    });
  await server.db.$client.query("update sessions set proven_at = now() - interval '11 minutes'");
  server.live.sessions.forgetAll();
  expect((await set()).json()).toEqual({ error: "error_proof_needed" });
  await server.db.$client.query("update sessions set proven_at = now()");
  server.live.sessions.forgetAll();
  expect((await set()).statusCode).toBe(200);
});
