import { answering } from "@nido/test-kit/answering";
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
  planOf,
  projectsOf,
  reported,
  type Shop,
  settled,
  stateOf,
} from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq, type SQL, sql } from "drizzle-orm";
import type { Stripe } from "stripe";
import { expect, test } from "vitest";
import { activity, projects, subscriptions, tasks } from "../../db/schema.ts";
import { connectStripe, type StripeAccess } from "../Billing.ts";
import { suspendIfOverdue } from "./suspendOverdue.ts";
import { syncInvoice } from "./syncInvoice.ts";
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
  const [days3, days6] = [sql`now() - interval '3 days'`, sql`now() - interval '6 days 23 hours'`];
  const days7 = sql`now() - interval '7 days 1 minute'`;
  for (const since of [days3, days6]) {
    await shop.server.db.update(subscriptions).set({ pastDueSince: since });
    await suspend();
    await settled(shop);
  }
  await control("endPeriod"); // declined again: the grace period counts from the first failure
  await reported(shop);
  expect(await statusOf(shop, headers)).toBe("active");
  await shop.server.db.update(subscriptions).set({ pastDueSince: days7 });
  await suspend();
  await eventually(async () => expect(await statusOf(shop, headers)).toBe("suspended"));
  const page = await visit(shop, project.name);
  expect([page.statusCode, page.body]).toEqual([503, expect.stringContaining("está suspendido")]);

  // The link in the message works without signing in.
  const suspended = (await readOutbox(shop.server)).find(({ template }) => template === "suspended");
  await shop.click(new URL(String(suspended?.params["url"])).pathname, "pay");
  await eventually(async () => expect(await statusOf(shop, headers)).toBe("active"));
  expect(await subscription()).toMatchObject({ past_due: false });
  expect((await visit(shop, project.name)).statusCode).toBe(200);

  await reported(shop);
  const messages = await readOutbox(shop.server);
  const reminders = messages.filter(({ template }) => template === "paymentFailed").map(({ params }) => params);
  expect(reminders.map(({ reminder }) => reminder)).toEqual([1, 2, 3]);
  for (const { url, amount } of reminders) {
    expect(amount).toBe(2900);
    expect(url).toMatch(/\/stripe\/invoice\/in_/);
  }
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

/** A customer with a paid project, in a shop that hears of the provider only by `reconciled`. */
async function boughtUnheard() {
  const shop = await openShop({ works: false, delivers: false });
  const { headers } = await newBuyer(shop);
  await pay(shop, (await order(shop, headers)).json<{ id: string }>().id);
  const reconciled = async () => {
    await shop.server.db.execute("select graphile_worker.add_job('reconcile')");
    await shop.work();
  };
  await reconciled();
  const [project] = await projectsOf(shop.server, headers);
  const subId = project?.sub_id as string;
  const remove = { type: "DELETE_PROJECT", payload: { id: project?.id } };
  return {
    ...{ shop, subId, reconciled },
    control: (action: string) => shop.click(`/stripe/subscription/${subId}`, action),
    deleteProject: () => shop.server.app.inject({ method: "POST", url: "/redux", headers, payload: remove }),
    atProvider: () => shop.stripe.subscriptions.retrieve(subId),
  };
}

test("a deleted project's subscription that the customer resumes in the portal is cancelled again by one reconcile", async () => {
  const { shop, subId, reconciled, deleteProject, atProvider } = await boughtUnheard();
  await deleteProject();
  await shop.work();
  await shop.stripe.subscriptions.update(subId, { cancel_at_period_end: false });
  await reconciled();
  expect(await atProvider()).toMatchObject({ status: "active", cancel_at_period_end: true });
});

test("a project that is deleted after its debt was paid keeps its paid period, also if the payment's webhook was lost", async () => {
  const { shop, subId, reconciled, control, deleteProject, atProvider } = await boughtUnheard();
  await control("failPeriod");
  await reconciled();
  await control("pay");
  await deleteProject();
  await shop.work();
  expect(await atProvider()).toMatchObject({ status: "active", cancel_at_period_end: true });
  await reconciled();
  const [row] = await shop.server.db.select().from(subscriptions).where(eq(subscriptions.id, subId));
  expect(row).toMatchObject({ endedAt: null, pastDueSince: null, cancelAtPeriodEnd: true });
});

test("what is owed for a subscription that ended can no longer be paid", async () => {
  for (const ends of ["deleted", "given up"]) {
    const { shop, subId, reconciled, control, deleteProject } = await boughtUnheard();
    await control("failPeriod");
    await reconciled();
    if (ends === "deleted") await deleteProject();
    else await control("giveUp");
    await reconciled();
    const { data } = await shop.stripe.invoices.list({ subscription: subId });
    expect(
      data.map(({ status }) => status),
      ends,
    ).toEqual(["void", "paid"]);
    const page = await shop.click(`/stripe/invoice/${data[0]?.id}`, "pay");
    expect([page.status, (await shop.stripe.charges.list()).data.length]).toEqual([200, 1]);
  }
});

test("a payment that arrives after its subscription has ended is refunded, once", async () => {
  const { shop, subId, reconciled, control } = await boughtUnheard();
  await control("failPeriod");
  await reconciled();
  await control("giveUp");
  const { data } = await shop.stripe.invoices.list({ subscription: subId });
  await shop.click(`/stripe/invoice/${data[0]?.id}`, "pay");
  // The provider counts in seconds, so the test says when it ended.
  const ended = (at: SQL) => shop.server.db.update(subscriptions).set({ endedAt: at, cancelledAt: at });
  await ended(sql`now() - interval '1 minute'`);
  const refunded = async () => (await shop.stripe.refunds.list()).data.map(({ amount }) => amount);
  for (let time = 0; time < 2; time++) {
    await syncInvoice(shop.server.billing, data[0]?.id as string);
    await shop.work();
    expect(await refunded()).toEqual([2900]);
  }
  await ended(sql`now() + interval '1 minute'`);
  const [first] = (await shop.stripe.invoices.list({ subscription: subId })).data.slice(-1);
  await syncInvoice(shop.server.billing, first?.id as string);
  await shop.work();
  expect(await refunded(), "what was paid before is not").toEqual([2900]);
  const told = (await readOutbox(shop.server)).filter(({ template }) => template === "refunded");
  expect(told.map(({ params }) => params["amount"])).toEqual([2900]);
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

/** A shop whose provider reports a subscription with changes that the stand-in cannot make. */
async function openReporting() {
  let altered: Stripe.Subscription | undefined;
  const through = (access: StripeAccess) =>
    answering(access, ({ method, url }) =>
      altered && method === "GET" && url?.split("?")[0] === `/v1/subscriptions/${altered.id}`
        ? { status: 200, body: altered }
        : undefined,
    );
  const shop = await openShop({ works: true, through });
  const buyer = await bought(shop);
  const { sub_id } = buyer.project;
  return {
    ...buyer,
    report: async (change: (subscription: Stripe.Subscription) => void) => {
      const subscription = await shop.stripe.subscriptions.retrieve(sub_id);
      change(subscription);
      altered = subscription;
      await syncSubscription(shop.server.billing, sub_id);
    },
  };
}

test("a price by tiers, or by other periods, leaves what was agreed, and the dates follow", async () => {
  const { report, subscription } = await openReporting();
  const before = await subscription();
  await report(({ items: { data } }) => {
    const [item] = data;
    if (!item) return;
    Object.assign(item.price, { unit_amount: null, unit_amount_decimal: null, billing_scheme: "tiered" });
    item.current_period_end += 1000;
  });
  await eventually(async () =>
    expect(await subscription()).toEqual({
      ...before,
      current_period_end: (before?.current_period_end as number) + 1000,
    }),
  );
  const fraction = { unit_amount: null, unit_amount_decimal: "1234.5" };
  await report(({ items: { data } }) => Object.assign(data[0]?.price ?? {}, fraction));
  await eventually(async () => expect((await subscription())?.plan.amount).toBe(1235));
});

test("a paused subscription owes nothing", async () => {
  const { report, subscription } = await openReporting();
  await report((altered) => Object.assign(altered, { status: "past_due" }));
  await eventually(async () => expect(await subscription()).toMatchObject({ past_due: true }));
  await report((altered) => Object.assign(altered, { status: "paused" }));
  await eventually(async () => expect(await subscription()).toMatchObject({ past_due: false }));
});

test("a plan that is changed at the provider changes the project's recipe, and what is shown", async () => {
  const shop = await openShop();
  const { headers } = await newBuyer(shop);
  const { id, sub_id } = await buy(shop, headers, { category: "wordpress", username: "lucia" });
  const subscription = await shop.stripe.subscriptions.retrieve(sub_id);
  const [item] = subscription.items.data;
  const changeTo = async (recipe: string) => {
    const items = [{ id: item?.id as string, price: await planOf(shop, recipe) }];
    await shop.stripe.subscriptions.update(sub_id, { items, proration_behavior: "none" });
  };
  await changeTo("wordpress_business");
  await eventually(async () => {
    const { projects: own, subscriptions: paid } = await stateOf(shop.server, headers);
    expect(own[id]).toMatchObject({ recipe: "wordpress_business" });
    expect(paid[sub_id]?.plan.amount).toBe(23_900);
  });
  const [entry] = await shop.server.db.select().from(activity).where(eq(activity.kind, "planChanged"));
  expect(entry).toMatchObject({ projectId: id, params: { recipe: "wordpress_business" } });
  // A static plan has no room for a WordPress: the site keeps what it has.
  await changeTo("static_starter");
  await eventually(async () => {
    const { projects: own, subscriptions: paid } = await stateOf(shop.server, headers);
    expect(paid[sub_id]?.plan.amount).toBe(2900);
    expect(own[id]).toMatchObject({ recipe: "wordpress_business" });
  });
});
