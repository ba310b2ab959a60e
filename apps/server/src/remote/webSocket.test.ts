import type { CustomerState } from "@nido/contract";
import { applyDiff, type Diff } from "@nido/redux-remote";
import { createCustomer, listen, signIn, startApp } from "@nido/test-kit/app";
import { follow, openSocket } from "@nido/test-kit/socket";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";

async function listening(databaseUrl?: string) {
  const server = await startApp(databaseUrl ? { databaseUrl } : {});
  return { ...server, address: await listen(server) };
}

async function withCustomer() {
  const server = await listening();
  await createCustomer(server);
  const headers = await signIn(server);
  return { server, headers };
}

const phone = (value: string) => JSON.stringify({ type: "UPDATE_USER_PHONE", payload: { phone: value } });

test("the first message is the whole state; the reply to an action carries its name and diff", async () => {
  const { server, headers } = await withCustomer();
  const { socket, messages } = await openSocket(server.address, headers);
  const state = (await server.app.inject({ url: "/redux", headers })).json();
  expect(messages).toEqual([state]);

  socket.send(phone("600100100"));
  await eventually(() => expect(messages).toHaveLength(2));
  const after = (await server.app.inject({ url: "/redux", headers })).json();
  expect(messages[1]).toMatchObject({ action: "UPDATE_USER_PHONE" });
  expect(applyDiff(state, messages[1]?.["diff"] as Diff)).toEqual(after);
});

test("a change is pushed to the customer's other sockets, in this and in another process, and to no other customer", async () => {
  const { server: one, headers } = await withCustomer();
  const two = await listening(one.databaseUrl);
  await createCustomer(one, "bea@example.com");
  const [mine, sameProcess, otherProcess, stranger] = await Promise.all([
    openSocket(one.address, headers),
    openSocket(one.address, await signIn(one)),
    openSocket(two.address, await signIn(two)),
    openSocket(one.address, await signIn(one, "bea@example.com")),
  ]);
  // Each sign-in above is itself a change of the state.
  const latest = (await one.app.inject({ url: "/redux", headers })).json() as CustomerState;
  const caughtUp = ({ messages }: typeof mine) => follow(messages).rev === latest.rev;
  await eventually(() => expect([mine, sameProcess, otherProcess].every(caughtUp)).toBe(true));
  const strangersMessages = stranger.messages.length;

  mine.socket.send(phone("600100100"));
  for (const { messages } of [sameProcess, otherProcess]) {
    await eventually(() => expect(follow(messages).user.phone).toBe("600100100"));
    expect(messages.at(-1)).toMatchObject({ action: null });
  }
  await eventually(() => expect(mine.messages.at(-1)).toMatchObject({ action: "UPDATE_USER_PHONE" }));
  expect(stranger.messages).toHaveLength(strangersMessages);
});

test("sockets that write concurrently, over two processes, all end at the same state without a gap", async () => {
  const { server: one, headers } = await withCustomer();
  const two = await listening(one.databaseUrl);
  const other = await signIn(one);
  const tabs = await Promise.all([
    openSocket(one.address, headers),
    openSocket(two.address, headers),
    openSocket(one.address, other),
    openSocket(two.address, other),
  ]);
  for (let round = 0; round < 15; round++) {
    for (const [tab, { socket }] of tabs.entries()) socket.send(phone(`600100${round}${tab}`));
  }
  const rev = async () => ((await one.app.inject({ url: "/redux", headers })).json() as CustomerState).rev;
  const before = follow(tabs[0]?.messages.slice(0, 1) ?? []).rev;
  await eventually(async () => expect(await rev()).toBeGreaterThanOrEqual(before + 60));
  const final = (await one.app.inject({ url: "/redux", headers })).json();
  for (const { messages } of tabs) {
    await eventually(() => expect(follow(messages)).toEqual(final));
  }
});

describe("the WebSocket upgrade is refused", () => {
  test.each([
    ["without a session", { cookie: "" }, 401],
    ["from another origin", { origin: "https://evil.example" }, 403],
    ["from a customer's site", { origin: "http://shop.localhost:3000" }, 403],
    ["from an opaque origin", { origin: "null" }, 403],
    ["for another host", { host: "evil.example" }, 404],
  ])("%s", async (_what, changed, status) => {
    const { server, headers } = await withCustomer();
    const { refusals, messages } = await openSocket(server.address, { ...headers, ...changed });
    expect(refusals).toEqual([status]);
    expect(messages).toEqual([]);
  });
});

describe("a message is refused, and changes nothing:", () => {
  test.each([
    ["broken JSON", "{", null, "error_invalid_input"],
    ["not an object", "[]", null, "error_invalid_input"],
    ["wrong types", '{"type":1}', null, "error_invalid_input"],
    ["a __proto__ key", '{"type":"UPDATE_USER_PHONE","payload":{"__proto__":{}}}', null, "error_invalid_input"],
    ["an unknown action", '{"type":"NOPE","payload":{}}', "NOPE", "error_action_unknown"],
    ["an inherited property as type", '{"type":"toString","payload":{}}', "toString", "error_action_unknown"],
    ["a bad value", '{"type":"UPDATE_USER_PHONE","payload":{"phone":"x"}}', "UPDATE_USER_PHONE", "error_phone_invalid"],
    ["10,000 levels of nesting", "[".repeat(10_000) + "]".repeat(10_000), null, "error_invalid_input"],
  ])("%s", async (_what, text, action, error) => {
    const { server, headers } = await withCustomer();
    const { socket, messages, closes } = await openSocket(server.address, headers);
    socket.send(text);
    await eventually(() => expect(messages).toHaveLength(2));
    expect(messages[1]).toEqual({ action, error });
    expect((await server.app.inject({ url: "/redux", headers })).json()).toEqual(messages[0]);
    expect(closes).toEqual([]);
  });

  test("2 MB, which close the socket with 1009", async () => {
    const { server, headers } = await withCustomer();
    const { socket, closes } = await openSocket(server.address, headers);
    socket.send(phone("1".repeat(2_000_000)));
    await eventually(() => expect(closes).toEqual([1009]));
  });
});

test("actions over HTTP and WebSocket share one rate limit", async () => {
  const { server, headers } = await withCustomer();
  const { socket, messages } = await openSocket(server.address, headers);
  // This process's clock is stopped, so that the refusal it remembers does not expire on a slow machine.
  vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const post = () =>
    server.app.inject({ method: "POST", url: "/redux", headers, payload: JSON.parse(phone("600100101")) });
  for (let sent = 0; sent < 119; sent++) expect((await post()).statusCode).toBe(200);
  socket.send(phone("600100102"));
  await eventually(() => expect(messages.at(-1)).toMatchObject({ action: "UPDATE_USER_PHONE" }));
  const statuses = [];
  for (let sent = 0; sent < 30; sent++) statuses.push((await post()).statusCode);
  expect(statuses).toContain(429);
  socket.send(phone("600100103"));
  const refusal = { action: "UPDATE_USER_PHONE", error: "error_too_many_requests" };
  await eventually(() => expect(messages.at(-1)).toEqual(refusal));
});

describe("ending a session closes its sockets, and no other's,", () => {
  test("by signing out", async () => {
    const { server, headers } = await withCustomer();
    const other = await openSocket(server.address, await signIn(server));
    const { closes } = await openSocket(server.address, headers);
    await server.app.inject({ url: "/logout", headers });
    await eventually(() => expect(closes).toEqual([4401]));
    expect(other.closes).toEqual([]);
  });

  test("by a new password, also in another process", async () => {
    const { server, headers } = await withCustomer();
    const two = await listening(server.databaseUrl);
    const { closes } = await openSocket(two.address, await signIn(server));
    const mine = await openSocket(server.address, headers);
    mine.socket.send(JSON.stringify({ type: "UPDATE_USER_PASSWORD", payload: { password: "Other1234" } }));
    await eventually(() => expect(closes).toEqual([4401]));
    expect(mine.closes).toEqual([]);
  });

  test("also without a NOTIFY", async () => {
    const { server, headers } = await withCustomer();
    const { closes } = await openSocket(server.address, headers);
    await server.db.execute(sql`delete from sessions`);
    await eventually(() => expect(closes).toEqual([4401]));
  });
});

test("a lost LISTEN connection is opened again, and missed changes are pushed", async () => {
  const { server, headers } = await withCustomer();
  const { messages } = await openSocket(server.address, headers);
  await server.db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`);
  // Without NOTIFY, like a change that was made while nothing listened.
  await server.db.execute(sql`update users set phone = '700', rev = rev + 1`);
  await eventually(() => expect(follow(messages).user.phone).toBe("700"));
});

test("without a LISTEN connection, an ended session is refused at once, because the cache is not used", async () => {
  const { server, headers } = await withCustomer();
  await server.app.inject({ url: "/redux", headers });
  await server.live.stop();
  await server.db.execute(sql`delete from sessions`);
  expect((await server.app.inject({ url: "/redux", headers })).statusCode).toBe(401);
});
