import type { CustomerState } from "@nido/contract";
import { readOutbox } from "@nido/test-kit/outbox";
import { buy, type Headers, newBuyer, openShop, order, pay, projectsOf, type Shop, settled } from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { unzipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { syncCustomer } from "../billing/customers/syncCustomer.ts";
import { SessionLocks } from "../db/SessionLocks.ts";
import { exportData } from "./exportData.ts";
import { removeLeft } from "./removeLeft.ts";

async function call({ server }: Pick<Shop, "server">, headers: Headers, path: string, payload?: object) {
  const request = payload ? { method: "POST" as const, payload } : { method: "GET" as const };
  const response = await server.app.inject({ ...request, url: `/api/account/${path}`, headers });
  return { status: response.statusCode, body: response.rawPayload, json: () => response.json() };
}

async function stateOf({ server }: Pick<Shop, "server">, headers: Headers): Promise<CustomerState> {
  return (await server.app.inject({ url: "/redux", headers })).json();
}

function act({ server }: Shop, headers: Headers, type: string, payload: object) {
  return server.app.inject({ method: "POST", url: "/redux", headers, payload: { type, payload } });
}

async function openExports(shop: Shop) {
  const { server } = shop;
  const locks = new SessionLocks(server.databaseUrl, 2, () => undefined);
  onTestFinished(() => locks.stop());
  return { ...server, locks };
}

test("the archive has the account, its projects, invoices and activity, and what a static site shows", async () => {
  const shop = await openShop();
  const { id, headers, email } = await newBuyer(shop);
  const project = await buy(shop, headers);
  await act(shop, headers, "UPDATE_USER_PHONE", { phone: "600 100 100" });
  await settled(shop);
  const exporting = await openExports(shop);
  expect((await call(shop, headers, "export")).json()).toEqual({ export: null });
  expect((await call(shop, headers, "export", {})).status).toBe(202);
  expect((await call(shop, headers, "export")).json()).toMatchObject({ export: { state: "running", progress: 0 } });
  await exportData(exporting, id, false);
  const { export: ready } = (await call(shop, headers, "export")).json();
  expect(ready).toMatchObject({ state: "ready", progress: 100 });

  const archive = await call(shop, headers, `export/${ready.id}`);
  expect([archive.status, archive.body.length]).toEqual([200, ready.size]);
  const files = unzipSync(archive.body);
  const json = (name: string) => JSON.parse(Buffer.from(files[name] ?? []).toString());
  expect(Object.keys(files)).toContain("LEEME.txt");
  expect(json("account.json")).toMatchObject({ email, phone: "600 100 100" });
  expect(json("projects.json").active).toEqual(Object.values((await stateOf(shop, headers)).projects));
  expect(json("subscriptions.json")).toMatchObject([{ id: project.sub_id }]);
  const invoices = await shop.stripe.invoices.list();
  expect(json("invoices.json").map((invoice: { id: string }) => invoice.id)).toEqual(invoices.data.map((i) => i.id));
  const { rows } = await shop.server.db.execute(
    sql`select id::int from activity where user_id = ${id} order by id desc`,
  );
  const entries = json("activity.json").map((entry: { id: number }) => ({ id: entry.id }));
  expect(entries).toEqual(rows);
  expect(Buffer.concat(Object.values(files)).toString()).not.toMatch(/hash|secret|\$argon2/i);
  expect((await readOutbox(shop.server)).map(({ template }) => template)).toContain("exportReady");

  const stranger = await newBuyer(shop);
  expect((await call(shop, stranger.headers, `export/${ready.id}`)).status).toBe(404);
  await shop.server.db.execute(sql`update data_exports set expires_at = now()`);
  expect((await call(shop, headers, `export/${ready.id}`)).status).toBe(404);
  await removeLeft(shop.server.db, shop.server.exports, shop.server.app.log);
  await expect(shop.server.exports.read(ready.id)).rejects.toThrow();
});

test("an archive needs a recent proof, is made once at a time, and fails after the last attempt", async () => {
  const shop = await openShop({ works: false });
  const { id, headers } = await newBuyer(shop);
  await shop.server.db.execute(sql`update sessions set proven_at = now() - interval '1 hour'`);
  expect((await call(shop, headers, "export", {})).json()).toEqual({ error: "error_proof_needed" });
  await shop.server.db.execute(sql`update sessions set proven_at = now()`);
  shop.server.live.forget(id);
  const answers = await Promise.all([call(shop, headers, "export", {}), call(shop, headers, "export", {})]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  const exporting = await openExports(shop);
  const broken = {
    ...exporting,
    exports: { requireRoom: async () => undefined, add: () => Promise.reject(new Error("disk full")) } as never,
  };
  await expect(exportData(broken, id, false)).rejects.toThrow("disk full");
  expect((await call(shop, headers, "export")).json()).toMatchObject({ export: { state: "running" } });
  await expect(exportData(broken, id, true)).rejects.toThrow("disk full");
  expect((await call(shop, headers, "export")).json()).toMatchObject({ export: { state: "failed" } });
});

test("a closed account keeps its sites for 30 days, refuses changes and purchases, and can be reopened", async () => {
  const shop = await openShop();
  const { headers, email } = await newBuyer(shop);
  const [kept, deleted] = [await buy(shop, headers), await buy(shop, headers)];
  await act(shop, headers, "DELETE_PROJECT", { id: deleted.id });
  expect((await call(shop, headers, "close", { email: "someone@example.com" })).json()).toEqual({
    error: "error_confirmation_wrong",
  });
  expect((await call(shop, headers, "close", { email: ` ${email.toUpperCase()} ` })).status).toBe(200);
  expect((await call(shop, headers, "close", { email })).json()).toEqual({ error: "error_account_closed" });
  const closed = await stateOf(shop, headers);
  expect([closed.projects, closed.subscriptions]).toEqual([{}, {}]);
  expect(closed.user.removal_at).toMatch(/^20/);
  await eventually(async () =>
    expect(await shop.stripe.subscriptions.retrieve(kept.sub_id)).toMatchObject({ cancel_at_period_end: true }),
  );
  expect((await act(shop, headers, "UPDATE_USER_PHONE", { phone: "1" })).json()).toEqual({
    error: "error_account_closed",
  });
  expect((await order(shop, headers)).json()).toEqual({ error: "error_account_closed" });
  for (const url of ["/api/referral/payout", "/api/account/totp", "/api/cli/grants", "/billing/portal"])
    expect((await shop.server.app.inject({ method: "POST", url, headers, payload: {} })).json()).toEqual({
      error: "error_account_closed",
    });

  expect((await call(shop, headers, "reopen", {})).status).toBe(200);
  expect((await call(shop, headers, "reopen", {})).status).toBe(404);
  expect((await projectsOf(shop.server, headers)).map(({ id }) => id)).toEqual([kept.id]);
  await eventually(async () =>
    expect(await shop.stripe.subscriptions.retrieve(kept.sub_id)).toMatchObject({ cancel_at_period_end: false }),
  );
  const templates = (await readOutbox(shop.server)).map(({ template }) => template);
  expect(templates).toEqual(expect.arrayContaining(["accountClosing", "accountReopened"]));
});

test("closing ends other sessions and tokens, and a payment that arrives later is not lost silently", async () => {
  const shop = await openShop({ works: false });
  const { id, headers, email } = await newBuyer(shop);
  const { id: sessionId } = (await order(shop, headers)).json<{ id: string }>();
  await shop.server.db.execute(sql`insert into cli_tokens (token_hash, user_id, kind, name, expires_at)
    values ('\\x01', ${id}, 'ci', 'deploy', now() + interval '1 day')`);
  await shop.server.db.execute(sql`insert into sessions (token_hash, user_id, expires_at)
    values ('\\x02', ${id}, now() + interval '1 day')`);
  await call(shop, headers, "close", { email });
  await pay(shop, sessionId);
  await eventually(async () => {
    await shop.server.db.execute("select graphile_worker.add_job('reconcile')");
    await shop.work();
    const { data } = await shop.stripe.subscriptions.list({ status: "all" });
    expect(data.map(({ status }) => status)).toEqual(["canceled"]);
  });
  expect((await stateOf(shop, headers)).projects).toEqual({});
  const { rows } =
    await shop.server.db.execute(sql`select (select count(*)::int from sessions where user_id = ${id}) as sessions,
    (select count(*)::int from cli_tokens) as tokens`);
  expect(rows).toEqual([{ sessions: 1, tokens: 0 }]);
});

test("after 30 days everything is erased but the bookkeeping, and the address is free again", async () => {
  const shop = await openShop();
  const { id, headers, email } = await newBuyer(shop);
  await buy(shop, headers);
  await act(shop, headers, "UPDATE_USER_PHONE", { phone: "600 123 456" });
  await act(shop, headers, "UPDATE_USER_ADDRESS", {
    user_address: "Calle Secreta 1",
    user_city: "Madrid",
    user_state: "",
    user_zipcode: "",
    user_country: "ES",
  });
  await call(shop, headers, "close", { email });
  const { db } = shop.server;
  const remove = () => removeLeft(db, shop.server.exports, shop.server.app.log);
  await remove();
  expect((await stateOf(shop, headers)).user.email).toBe(email);

  await db.execute(sql`update users set closed_at = now() - interval '31 days' where id = ${id}`);
  await remove();
  // Not before its projects are gone.
  expect((await stateOf(shop, headers)).user.email).toBe(email);
  await db.execute(sql`delete from projects`);
  // Nor while a payout is owed.
  await db.execute(sql`insert into payouts (user_id, currency) values (${id}, 'eur')`);
  await remove();
  expect((await stateOf(shop, headers)).user.email).toBe(email);
  await db.execute(sql`update payouts set paid_at = now()`);
  await db.execute(sql`insert into domain_holders (domain, user_id) values ('www.acme.example', ${id})`);
  await remove();
  // The next owner of the project's name must still prove that this domain is theirs.
  expect(await db.execute(sql`select from domain_holders`)).toMatchObject({ rowCount: 1 });
  await eventually(async () => expect((await shop.stripe.customers.list()).data).toEqual([]));
  // A sync that was late.
  expect(await syncCustomer(shop.server.billing, id)).toBeUndefined();
  expect((await shop.stripe.customers.list()).data).toEqual([]);
  expect((await call(shop, headers, "export")).status).toBe(401);
  const { rows } = await db.execute<{ dump: string }>(sql`
    select string_agg(row_to_json(t)::text, ' ') as dump from (
      select row_to_json(users) from users union all select row_to_json(activity) from activity
      union all select row_to_json(checkouts) from checkouts union all select row_to_json(sessions) from sessions) t`);
  for (const trace of ["Secreta", "600 123", email]) expect(rows[0]?.dump).not.toContain(trace);
  expect(await db.execute(sql`select id from subscriptions where user_id = ${id}`)).toMatchObject({ rowCount: 1 });
  const messages = await readOutbox(shop.server);
  expect(messages).toContainEqual(expect.objectContaining({ template: "accountRemoved", to: email }));
  expect((await newBuyer(shop, email)).id).not.toBe(id);
});
