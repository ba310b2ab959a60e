import { readOutbox } from "@nido/test-kit/outbox";
import { addProject } from "@nido/test-kit/seed";
import {
  buy,
  type Headers,
  newBuyer,
  newName,
  openShop,
  order,
  pay,
  projectsOf,
  type Shop,
  settled,
  stateOf,
} from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { projects, subscriptions, tasks } from "../../db/schema.ts";
import { connectStripe } from "../Billing.ts";
import { suspendIfOverdue } from "./suspendOverdue.ts";
import { syncSubscription } from "./syncSubscription.ts";
import { updateAtProvider } from "./updateAtProvider.ts";

async function bought(shop: Shop) {
  const buyer = await newBuyer(shop);
  const project = await buy(shop, buyer.headers);
  const control = (action: string) => shop.click(`/stripe/subscription/${project.sub_id}`, action);
  const subscription = async () => (await stateOf(shop.server, buyer.headers)).subscriptions[project.sub_id];
  return { ...buyer, project, control, subscription };
}

async function statusOf(shop: Shop, headers: Headers) {
  const [project] = await projectsOf(shop.server, headers);
  return project?.status;
}

async function ownedBy(shop: Shop, headers: Headers) {
  const { projects: own, subscriptions: paid } = await stateOf(shop.server, headers);
  return [own, paid];
}

function visit({ server }: Shop, name: string) {
  return server.app.inject({ url: "/any", headers: { host: `${name}.localhost:3000` } });
}

test("a renewal advances the billing period", async () => {
  const shop = await openShop();
  const { control, subscription } = await bought(shop);
  const before = await subscription();
  await control("endPeriod");
  await eventually(async () => {
    expect((await subscription())?.current_period_start).toBe(before?.current_period_end);
  });
});

test("a failed payment is shown at once, suspends the site after the grace period, and a payment reactivates it", async () => {
  const shop = await openShop();
  const { headers, project, control, subscription } = await bought(shop);
  await control("failPeriod");
  await eventually(async () => expect((await subscription())?.past_due).toBe(true));
  expect(await statusOf(shop, headers)).toBe("active");
  expect((await visit(shop, project.name)).statusCode).toBe(200);

  const suspend = () => shop.server.db.execute("select graphile_worker.add_job('suspendOverdue')");
  const [days6, days7] = [sql`now() - interval '6 days 23 hours'`, sql`now() - interval '7 days 1 minute'`];
  await shop.server.db.update(subscriptions).set({ pastDueSince: days6 });
  await suspend();
  await control("endPeriod"); // declined again: the grace period counts from the first failure
  await settled(shop);
  expect(await statusOf(shop, headers)).toBe("active");
  await shop.server.db.update(subscriptions).set({ pastDueSince: days7 });
  await suspend();
  await eventually(async () => expect(await statusOf(shop, headers)).toBe("suspended"));
  const page = await visit(shop, project.name);
  expect([page.statusCode, page.body]).toEqual([503, expect.stringContaining("está suspendido")]);

  await control("pay");
  await eventually(async () => expect(await statusOf(shop, headers)).toBe("active"));
  expect(await subscription()).toMatchObject({ past_due: false });
  expect((await visit(shop, project.name)).statusCode).toBe(200);

  await settled(shop);
  const messages = await readOutbox(shop.server);
  const reminders = messages
    .filter(({ template }) => template === "paymentFailed")
    .map(({ params }) => params["reminder"]);
  expect(reminders).toEqual([1, 3]);
  const others = messages.map(({ template }) => template).filter((template) => template !== "paymentFailed");
  // One receipt for the purchase, and one for the payment that was overdue.
  expect(others.toSorted()).toEqual(["receipt", "receipt", "restored", "siteReady", "suspended"]);
});

test("with GRACE_DAYS=0 a failed payment suspends the site at once", async () => {
  const shop = await openShop({ env: { GRACE_DAYS: "0" } });
  const { headers, control } = await bought(shop);
  await control("failPeriod");
  await eventually(async () => expect(await statusOf(shop, headers)).toBe("suspended"));
});

test("a subscription that ends at the provider deletes its project, and the name stays reserved", async () => {
  const shop = await openShop();
  const { headers, project, control } = await bought(shop);
  await control("failPeriod");
  await control("giveUp");
  await eventually(async () => {
    expect(await ownedBy(shop, headers)).toEqual([{}, {}]);
  });
  expect((await visit(shop, project.name)).statusCode).toBe(404);
  const stranger = await newBuyer(shop);
  expect((await order(shop, stranger.headers, { project_name: project.name })).statusCode).toBe(409);
});

test("a cancellation at period end is shown, and deletes the project when the period ends", async () => {
  const shop = await openShop();
  const { headers, project, control, subscription } = await bought(shop);
  const portal = await shop.server.app.inject({ method: "POST", url: "/billing/portal", headers });
  const path = new URL(portal.json<{ url: string }>().url).pathname;
  const page = await (await fetch(new URL(path, shop.sandbox.origin))).text();
  expect(page).toContain("Facturas");
  expect(page).toContain("29,00");
  const cancel = { method: "POST", body: new URLSearchParams({ action: "cancel", subscription: project.sub_id }) };
  await fetch(new URL(path, shop.sandbox.origin), cancel);
  await eventually(async () => expect((await subscription())?.cancel_at_period_end).toBe(true));
  expect(await projectsOf(shop.server, headers)).toHaveLength(1);
  await control("endPeriod");
  await eventually(async () => expect(await projectsOf(shop.server, headers)).toEqual([]));
});

test("the billing portal is 404 for a customer who has bought nothing", async () => {
  const shop = await openShop({ works: false });
  const { headers } = await newBuyer(shop);
  const response = await shop.server.app.inject({ method: "POST", url: "/billing/portal", headers });
  expect([response.statusCode, response.json()]).toEqual([404, { error: "error_portal_none" }]);
});

test("deleting a project cancels its subscription once, without a refund, and retries while the provider is unreachable", async () => {
  const shop = await openShop({ works: false, delivers: false });
  const buyer = await newBuyer(shop);
  const name = newName();
  await pay(shop, (await order(shop, buyer.headers, { project_name: name })).json<{ id: string }>().id);
  await shop.server.db.execute("select graphile_worker.add_job('reconcile')");
  await shop.work();
  const [project] = await projectsOf(shop.server, buyer.headers);

  // Makes the provider unreachable: the client is pointed at a closed port.
  const { stripe } = shop.server.billing;
  shop.server.billing.stripe = connectStripe({
    secretKey: "sk_test_x",
    apiUrl: new URL("http://127.0.0.1:9"),
  });
  const payload = { type: "DELETE_PROJECT", payload: { id: project?.id } };
  const response = await shop.server.app.inject({ method: "POST", url: "/redux", headers: buyer.headers, payload });
  expect(response.statusCode).toBe(200);
  expect(await ownedBy(shop, buyer.headers)).toEqual([{}, {}]);
  await shop.work();
  expect(await stripe.subscriptions.retrieve(project?.sub_id as string)).toMatchObject({ status: "active" });

  shop.server.billing.stripe = stripe;
  const retryNow = "update graphile_worker._private_jobs set run_at = now()";
  await shop.server.db.execute(retryNow);
  await shop.work();
  const [row] = await shop.server.db.select().from(subscriptions);
  expect(row).toMatchObject({ cancelAtPeriodEnd: true, endedAt: null });
  await shop.server.db.execute("select graphile_worker.add_job('reconcile')");
  await shop.server.db.execute(retryNow);
  await shop.work();
  const { data } = await stripe.events.list({ type: "customer.subscription.updated" });
  expect(data).toHaveLength(1);
  expect(await stripe.subscriptions.retrieve(project?.sub_id as string)).toMatchObject({ cancel_at_period_end: true });
  expect((await stripe.refunds.list()).data).toEqual([]);
  const { rows } = await shop.server.db.$client.query(
    "select key from graphile_worker._private_jobs where key !~ '^send'",
  );
  expect(rows).toEqual([{ key: `archiveSite:${project?.id}` }]);
});

test("reconcile completes a cancellation whose job was lost", async () => {
  const shop = await openShop({ works: false });
  const { id } = await newBuyer(shop);
  await addProject(shop.server.db, id, newName());
  await shop.server.db.update(subscriptions).set({ cancelledAt: sql`now()` });
  await shop.server.db.execute("select graphile_worker.add_job('reconcile')");
  await shop.work();
  const [row] = await shop.server.db.select().from(subscriptions);
  expect(row?.endedAt, "the provider does not know it either").not.toBeNull();
});

test("a stale read of an ended subscription does not bring its project back", async () => {
  const shop = await openShop();
  const { headers, project, control } = await bought(shop);
  await control("failPeriod");
  await control("giveUp");
  await eventually(async () => expect(await projectsOf(shop.server, headers)).toEqual([]));
  const sub = await shop.stripe.subscriptions.retrieve(project.sub_id);
  const old = { ...sub, status: "active", ended_at: null };
  const stale = { ...shop.server.billing, stripe: { subscriptions: { retrieve: async () => old } } as never };
  await syncSubscription(stale, project.sub_id);
  const [row] = await shop.server.db.select().from(projects).where(eq(projects.id, project.id));
  expect(row?.archivedAt).not.toBeNull();
});

test("deleting a project removes its provisioning job and fails its task", async () => {
  const shop = await openShop();
  const { headers } = await newBuyer(shop);
  const project = await buy(shop, headers, { category: "wordpress", username: "lucia" });
  const payload = { type: "DELETE_PROJECT", payload: { id: project.id } };
  await shop.server.app.inject({ method: "POST", url: "/redux", headers, payload });
  const { rows } = await shop.server.db.$client.query(
    "select 1 from graphile_worker._private_jobs where key like 'provisionWordPress:%'",
  );
  expect(rows).toEqual([]);
  expect(await shop.server.db.select({ state: tasks.state }).from(tasks)).toEqual([{ state: "failed" }]);
});

test("suspendIfOverdue does not suspend a site that was paid for meanwhile", async () => {
  const shop = await openShop({ works: false });
  const { id, headers } = await newBuyer(shop);
  const project = await addProject(shop.server.db, id, newName(), { isPastDue: true });
  await shop.server.db.update(subscriptions).set({ pastDueSince: null });
  await shop.server.db.transaction((tx) => suspendIfOverdue(tx, { id: project, userId: id }, 0));
  expect(await statusOf(shop, headers)).toBe("active");
});

test("updateAtProvider fails for a subscription unknown to the provider", async () => {
  const shop = await openShop({ works: false });
  await expect(updateAtProvider(shop.server.billing, "sub_of_another_account", "now")).rejects.toThrow(/has not ended/);
});
