import type { CustomerState, PlanOffers } from "@nido/contract";
import { startSandbox } from "@nido/sandbox";
import { createDatabase } from "@nido/test-kit/database";
import { openHoldingProxy } from "@nido/test-kit/holdingProxy";
import { testLong } from "@nido/test-kit/long";
import { ended, settings, signIn, start } from "@nido/test-kit/product";
import { eventually } from "@nido/test-kit/waitUntil";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { connectStripe } from "./Billing.ts";
import { seedCatalogue } from "./catalogue/seedCatalogue.ts";
import { webhookPath } from "./sync/webhookRoute.ts";

/** Nido on a database and a payment stand-in that keep running when it is killed. */
async function openShop() {
  const { env, port, origin } = await settings();
  const databaseUrl = await createDatabase();
  const webhookUrl = new URL(webhookPath, `http://127.0.0.1:${port}`);
  const sandbox = await startSandbox({ port: 0, redirectUri: webhookUrl, webhookUrl });
  onTestFinished(sandbox.stop);
  const stripe = connectStripe(sandbox.stripe);
  await seedCatalogue(stripe);
  const gate = await openHoldingProxy(sandbox.stripe);
  const all = {
    ...env,
    DATABASE_URL: databaseUrl,
    STRIPE_SECRET_KEY: sandbox.stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: sandbox.stripe.webhookSecret,
    STRIPE_API_URL: gate.apiUrl.href,
    LOG_LEVEL: "error",
  };
  let nido = await start({ env: all });
  const cookie = await signIn(origin);

  const call = async (path: string, body?: object) => {
    const headers = { cookie, ...(body && { "content-type": "application/json" }) };
    const init = body && { method: "POST", body: JSON.stringify(body) };
    return fetch(origin + path, { headers, ...init });
  };
  const { year } = (await (await call("/billing/products?recipe_category=static")).json()) as PlanOffers;
  const planId = year[0]?.plan.id;

  const query = await openClient(databaseUrl);
  // A second connection, because pg_stat_activity does not change within a transaction of the first.
  const observe = await openClient(databaseUrl);

  return {
    gate,
    stripe,
    query,
    observe,
    order: (name: string) =>
      call(`/billing/session/${planId}`, {
        project_name: name,
        username: "",
        promo: "",
        locale: "es",
        category: "static",
      }),
    pay: (id: string) =>
      fetch(`${sandbox.origin}/stripe/pay/${id}`, {
        method: "POST",
        body: new URLSearchParams({ action: "pay" }),
        redirect: "manual",
      }),
    act: (type: string, payload: object) => call("/redux", { type, payload }),
    state: async () => (await (await call("/redux")).json()) as CustomerState,
    killAndStartAgain: async () => {
      nido.child.kill("SIGKILL");
      await ended(nido.child);
      await observe(endWaiting);
      nido = await start({ env: all });
    },
  };
}

async function openClient(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return async (sql: string) => (await client.query(sql)).rows;
}

const someoneWaits = "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
// PostgreSQL completes a statement whose client was killed. This ends it too, as if the machine had failed.
const endWaiting = `select pg_terminate_backend(pid) from (${someoneWaits})`;

testLong(
  "a purchase killed at any step from checkout to deletion has one session, one project, one cancellation and one refund",
  async () => {
    const { gate, stripe, query, observe, order, pay, act, state, killAndStartAgain } = await openShop();
    const blocked = () => eventually(async () => expect(await observe(someoneWaits)).not.toEqual([]));
    const projects = async () => Object.values((await state()).projects).map(({ name }) => name);
    const bought: string[] = [];
    const purchase = async (name: string) => {
      const response = await order(name);
      const { id } = (await response.json()) as { id: string };
      await pay(id);
      bought.push(name);
    };
    const untilAllIsThere = async () => {
      await eventually(async () => expect((await projects()).sort()).toEqual(bought.toSorted()));
      await eventually(async () =>
        expect(await query("select key from graphile_worker._private_jobs where attempts < max_attempts")).toEqual([]),
      );
      expect(await projects()).toHaveLength(bought.length);
    };

    // Killed after the provider created the session, before its answer arrived.
    const accepted = gate.keepNext("POST", /checkout\/sessions$/, true);
    const lost = order("answerlost").catch(() => undefined);
    await accepted;
    await killAndStartAgain();
    await lost;
    await purchase("answerlost");
    expect((await stripe.checkout.sessions.list()).data).toHaveLength(1);
    await untilAllIsThere();

    // Killed after the event arrived, before it was claimed.
    await query("begin");
    await query("lock table events in exclusive mode");
    await purchase("beforeclaim");
    await blocked();
    await killAndStartAgain();
    await query("rollback");
    await untilAllIsThere();

    // Killed after the event was claimed, while the job waits for the provider.
    const asked = gate.keepNext("GET", /checkout\/sessions\/cs_|subscriptions\/sub_/, false);
    await purchase("jobasking");
    await asked;
    await killAndStartAgain();
    await untilAllIsThere();

    // Killed in the middle of the job's transaction.
    await query("begin");
    await query("lock table projects in exclusive mode");
    await purchase("jobwriting");
    await blocked();
    await killAndStartAgain();
    await query("rollback");
    await untilAllIsThere();

    // Killed after the project was created, before the job was removed from the queue.
    await query("select pg_advisory_lock(7)");
    await query(`create function wait() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(7); return old; end'`);
    await query(
      "create trigger wait before delete on graphile_worker._private_jobs for each row execute function wait()",
    );
    await purchase("jobending");
    await eventually(async () => expect(await projects()).toContain("jobending"));
    await blocked();
    await killAndStartAgain();
    await query("select pg_advisory_unlock(7)");
    await query("drop trigger wait on graphile_worker._private_jobs");
    await untilAllIsThere();

    // Killed after the provider cancelled the subscription, before its answer arrived.
    const [project] = Object.values((await state()).projects);
    const cancelled = gate.keepNext("POST", /subscriptions\/sub_/, true);
    expect((await act("DELETE_PROJECT", { id: project?.id })).status).toBe(200);
    await cancelled;
    await killAndStartAgain();
    bought.splice(bought.indexOf(project?.name ?? ""), 1);
    await untilAllIsThere();
    const ending = (await stripe.subscriptions.list()).data.filter((subscription) => subscription.cancel_at_period_end);
    expect(ending.map(({ id }) => id)).toEqual([project?.sub_id]);
    expect((await stripe.subscriptions.list({ status: "all" })).data).toHaveLength(5);
    expect(await query("select id from subscriptions where cancel_at_period_end")).toHaveLength(1);
    expect(await query("select id from projects")).toHaveLength(5);

    // A purchase that lost its name: killed while it is recorded, and after the provider has refunded it.
    const { id: lostId } = (await (await order("namelost")).json()) as { id: string };
    await query(
      "update projects set name = 'namelost' where id = (select id from projects where archived_at is not null)",
    );
    const refunded = gate.keepNext("POST", /refunds$/, true);
    await query("begin");
    await query("lock table refunds in exclusive mode");
    await pay(lostId);
    await blocked();
    await killAndStartAgain();
    await query("rollback");
    await refunded;
    expect(await query("select state from refunds")).toEqual([{ state: "owed" }]);
    await killAndStartAgain();
    await eventually(async () => expect(await query("select state from refunds")).toEqual([{ state: "refunded" }]));
    expect((await stripe.refunds.list()).data).toHaveLength(1);
    expect(await query("select id from mail_messages where template = 'purchaseRefunded'")).toHaveLength(1);
  },
);
