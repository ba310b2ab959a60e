import { createCustomer, origin, password, signIn, startApp } from "@nido/test-kit/app";
import { expect, test } from "vitest";

test("sixty parallel password changes of one customer do not make a neighbour's requests fail", async () => {
  const server = await startApp();
  await createCustomer(server);
  await createCustomer(server, "neighbour@example.com");
  const [headers, neighbour] = [await signIn(server), await signIn(server, "neighbour@example.com")];
  // A request that waits for a connection for longer than this fails, as in the product.
  for (const db of [server.db, server.essentialDb]) db.$client.options.connectionTimeoutMillis = 1000;

  const change = () =>
    server.app.inject({
      method: "POST",
      url: "/redux",
      headers,
      payload: { type: "UPDATE_USER_PASSWORD", payload: { password: "Other1234" } },
    });
  let isOver = false;
  const attack = Promise.all(Array.from({ length: 60 }, change)).finally(() => {
    isOver = true;
  });
  const statuses: number[] = [];
  while (!isOver) {
    const answers = await Promise.all([
      server.app.inject({ url: "/healthz" }),
      server.app.inject({ url: "/redux", headers: neighbour }),
      server.app.inject({
        method: "POST",
        url: "/redux",
        headers: neighbour,
        payload: { type: "UPDATE_USER_PHONE", payload: { phone: "123456789" } },
      }),
      signIn(server, "neighbour@example.com", password).then(({ cookie }) => ({ statusCode: cookie ? 200 : 401 })),
    ]);
    statuses.push(...answers.map(({ statusCode }) => statusCode));
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(0);
  // The attacker's own requests succeed, or are refused once too many wait.
  const own = (await attack).map(({ statusCode }) => statusCode);
  expect(own.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(own.filter((status) => status === 200).length).toBeGreaterThanOrEqual(50);
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
  await server.db.$client.query("update sessions set created_at = now() - interval '11 minutes'");
  server.live.sessions.forgetAll();
  expect((await set()).json()).toEqual({ error: "error_sign_in_again" });
  await server.db.$client.query("update sessions set created_at = now()");
  server.live.sessions.forgetAll();
  expect((await set()).statusCode).toBe(200);
});
