import type { CheckoutSession } from "@nido/contract";
import { readOutbox } from "@nido/test-kit/outbox";
import { newBuyer, newName, openShop, order, pay, planOf, type Shop, stateOf } from "@nido/test-kit/shop";
import { deliver } from "@nido/test-kit/stripeEvents";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq, sql } from "drizzle-orm";
import type { Stripe } from "stripe";
import { expect, test } from "vitest";
import { activity, disputes, projects, subscriptions, users } from "../../db/schema.ts";
import { holdProject } from "../../projects/holdProject.ts";
import { findPending } from "../../referrals/queries.ts";
import { disputeOf } from "../disputes.ts";
import { readPayments } from "../readPayments.ts";
import { syncDisputes } from "./syncDisputes.ts";
import { takeCredit } from "./takeCredit.ts";

/** Jobs run when the test says so, and webhooks are lost unless the test delivers them. */
async function openQuietShop(env: Record<string, string> = {}) {
  const shop = await openShop({ works: false, delivers: false, env });
  const run = async (job: string) => {
    await shop.server.db.execute(sql`select graphile_worker.add_job(${job})`);
    await shop.work();
  };
  const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
  const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
  const request = { project_name: newName(), promo: row?.refcode as string };
  await pay(shop, (await order(shop, buyer.headers, request)).json<CheckoutSession>().id);
  await run("reconcile");
  const [project] = await shop.server.db.select().from(projects);
  const { subId, id, name } = project as NonNullable<typeof project>;
  return {
    shop,
    buyer,
    id,
    name,
    subId,
    run,
    /** What happens at the provider, and reaches us by reconcile. */
    happens: async (action: string) => {
      expect((await shop.click(`/stripe/subscription/${subId}`, action)).status, action).toBe(303);
      await run("reconcile");
    },
    earned: async () => (await findPending(shop.server.db, referrer.id)).map(({ sum }) => sum),
    look: () => look(shop),
  };
}

/** The state of the site and of its payment, from the database: the dashboard's state follows a moment later. */
async function look({ server }: Shop) {
  const [row] = await server.db
    .select({ status: projects.status, dispute: disputeOf })
    .from(projects)
    .innerJoin(subscriptions, eq(subscriptions.id, projects.subId));
  return [row?.status, row?.dispute];
}

/** The messages about disputes, in the order in which they were written. */
async function told({ server }: Shop) {
  const messages = await readOutbox(server);
  const about = ["disputed", "disputeWon", "disputeLost", "operatorDispute", "restored"];
  return messages
    .filter(({ template }) => about.includes(template))
    .map(({ template, params }) => `${template} ${params["state"] ?? ""}`.trim());
}

async function kindsOf({ server }: Shop) {
  const rows = await server.db.select().from(activity).orderBy(activity.id);
  return rows.map(({ kind }) => kind).filter((kind) => /^(project(Susp|Resum)|disputeLost|renewal)/.test(kind));
}

test("a lost dispute takes back the credit that its payment has left, once, and no other credit", async () => {
  const { shop, happens, run, subId } = await openQuietShop();
  const { stripe } = shop;
  const { customer, items } = await stripe.subscriptions.retrieve(subId);
  const balance = async () => ((await stripe.customers.retrieve(String(customer))) as Stripe.Customer).balance;
  await stripe.customers.createBalanceTransaction(String(customer), { amount: -9000, currency: "eur" });
  await happens("dispute");
  const monthly = { id: items.data[0]?.id as string, price: await planOf(shop, "static_starter", "month") };
  await stripe.subscriptions.update(subId, { items: [monthly], proration_behavior: "always_invoice" });
  const credited = -9000 - (await balance());
  expect(credited).toBeGreaterThan(1000);
  const [lost] = (await stripe.disputes.list()).data;
  await shop.click(`/stripe/dispute/${lost?.id}`, "loseDispute");
  await run("reconcile");
  expect(await balance()).toBe(-9000);
  const [dispute] = await shop.server.db.select().from(disputes);
  await takeCredit(shop.server.billing, dispute?.id as string);
  await run("reconcile");
  expect(await balance()).toBe(-9000);
});

test("a dispute suspends the site, reverses the earning and is told; one that is won takes all that back", async () => {
  const { shop, buyer, earned, happens, look, id, name, subId } = await openQuietShop();
  expect(await earned()).toEqual([232]);

  await happens("dispute");
  expect(await look()).toEqual(["suspended", "open"]);
  expect(await earned()).toEqual([]);
  await eventually(async () => {
    const { projects: own, subscriptions: paid } = await stateOf(shop.server, buyer.headers);
    expect([own[id]?.status, paid[subId]?.dispute]).toEqual(["suspended", "open"]);
  });
  const [entry] = await shop.server.db.select().from(activity).where(eq(activity.kind, "projectSuspended"));
  expect(entry?.params).toEqual({ project: name, why: "dispute" });
  const outbox = await readOutbox(shop.server);
  const operator = outbox.at(-1);
  expect(outbox.find(({ template }) => template === "disputed")?.to).toBe(buyer.email);
  expect(operator).toMatchObject({ template: "operatorDispute", params: { state: "open", name, subId, amount: 2320 } });
  expect(operator?.to).toBe(shop.server.billing.config.SUPPORT_EMAIL);
  const page = await shop.server.app.inject({ url: "/", headers: { host: `${name}.localhost:3000` } });
  expect(page.statusCode).toBe(503);

  await happens("winDispute");
  expect(await look()).toEqual(["active", null]);
  expect(await earned()).toEqual([232]);
  expect(await told(shop)).toEqual(["disputed", "operatorDispute open", "disputeWon", "operatorDispute won"]);
  expect(await kindsOf(shop)).toEqual(["projectSuspended", "projectResumed"]);
});

test("an inquiry that is closed brings the site back", async () => {
  const { earned, happens, look } = await openQuietShop();
  await happens("inquire");
  expect(await look()).toEqual(["suspended", "open"]);
  await happens("loseDispute"); // an inquiry cannot be lost
  expect(await look()).toEqual(["active", null]);
  expect(await earned()).toEqual([232]);
});

test("after a lost dispute the site stays suspended, is not renewed, and no payment brings it back", async () => {
  const { shop, buyer, id, earned, happens, look, subId, run } = await openQuietShop();
  await happens("dispute");
  await happens("loseDispute");
  expect(await look()).toEqual(["suspended", "lost"]);
  expect(await earned()).toEqual([]);
  expect(await shop.stripe.subscriptions.retrieve(subId)).toMatchObject({ cancel_at_period_end: true });
  expect(await told(shop)).toEqual(["disputed", "operatorDispute open", "disputeLost", "operatorDispute lost"]);

  const resume = { type: "SET_RENEWAL", payload: { project_id: id, renews: true } };
  const response = await shop.server.app.inject({
    method: "POST",
    url: "/redux",
    headers: buyer.headers,
    payload: resume,
  });
  expect([response.statusCode, response.json()]).toEqual([409, { error: "error_renewal_disputed" }]);
  // In the provider's portal it can be resumed, until the next reconcile.
  await shop.stripe.subscriptions.update(subId, { cancel_at_period_end: false });
  await run("reconcile");
  await run("reconcile");
  expect(await shop.stripe.subscriptions.retrieve(subId)).toMatchObject({ cancel_at_period_end: true });
  expect(await look()).toEqual(["suspended", "lost"]);
});

test("a lost dispute of a subscription that is not paid ends it", async () => {
  const { shop, happens, subId } = await openQuietShop();
  const [payment] = (await shop.stripe.invoicePayments.list({})).data;
  await happens("dispute");
  await happens("failPeriod");
  const [dispute] = (await shop.stripe.disputes.list()).data;
  expect(dispute?.payment_intent).toBe(payment?.payment.payment_intent);
  expect((await shop.stripe.subscriptions.retrieve(subId)).status).toBe("past_due");
  // Its payment is not the last one any more, so the bank decides about it by its own page.
  await shop.click(`/stripe/dispute/${dispute?.id}`, "loseDispute");
  await shop.server.db.execute(sql`select graphile_worker.add_job('reconcile')`);
  await shop.work();
  expect((await shop.stripe.subscriptions.retrieve(subId)).status).toBe("canceled");
  expect(await shop.server.db.select({ state: disputes.state }).from(disputes)).toEqual([{ state: "lost" }]);
});

test("events in any order, each ten times and at once, have the effect of the last state, once", async () => {
  const { shop, look, subId, earned } = await openQuietShop();
  for (const action of ["dispute", "winDispute"]) await shop.click(`/stripe/subscription/${subId}`, action);
  const { data } = await shop.stripe.events.list({ limit: 20 });
  const events = data.filter(({ type }) => type.startsWith("charge.dispute."));
  expect(events).toHaveLength(4);
  // Newest first, which is the reverse of what happened.
  for (const event of events) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(shop, event)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    await shop.work();
  }
  expect(await look()).toEqual(["active", null]);
  expect(await earned()).toEqual([232]);
  expect(await told(shop)).toEqual(["operatorDispute won"]);
});

test("a won dispute leaves a site suspended that is overdue, held by an operator, or disputed again", async () => {
  const overdue = await openQuietShop();
  await overdue.happens("dispute");
  await overdue.shop.server.db.update(subscriptions).set({ pastDueSince: sql`now() - interval '8 days'` });
  const control = (action: string) => overdue.shop.click(`/stripe/subscription/${overdue.subId}`, action);
  await control("winDispute");
  // The provider still reports the debt.
  const [dispute] = (await overdue.shop.stripe.disputes.list()).data;
  expect(dispute?.status).toBe("won");
  const [invoice] = (await overdue.shop.stripe.invoices.list({ subscription: overdue.subId })).data;
  const invoiceId = invoice?.id as string;
  const { billing } = overdue.shop.server;
  await syncDisputes(billing, overdue.subId, invoiceId, await readPayments(billing, invoiceId));
  expect(await overdue.look()).toEqual(["suspended", null]);

  const held = await openQuietShop();
  await held.happens("dispute");
  expect(await holdProject(held.shop.server.db, held.name, true)).toBe(true);
  await held.happens("winDispute");
  expect(await held.look()).toEqual(["suspended", null]);

  const twice = await openQuietShop();
  await twice.happens("dispute");
  await twice.happens("endPeriod");
  await twice.happens("dispute");
  await twice.happens("winDispute");
  expect(await twice.look()).toEqual(["suspended", "open"]);
});

test("a site that becomes active while its payment is disputed is suspended", async () => {
  const { shop, happens, look, name, run } = await openQuietShop();
  await shop.server.db.update(projects).set({ status: "provisioning" });
  await happens("dispute");
  expect(await look()).toEqual(["provisioning", "open"]);
  await shop.server.db.update(projects).set({ status: "active" });
  await run("suspendOverdue");
  expect(await look()).toEqual(["suspended", "open"]);

  await holdProject(shop.server.db, name, true);
  await holdProject(shop.server.db, name, false);
  await run("suspendOverdue");
  expect(await look()).toEqual(["suspended", "open"]);
});

test("a deleted site with a disputed payment cannot be taken back for free, but with a new plan", async () => {
  const { shop, buyer, happens, id, name, run } = await openQuietShop();
  await happens("dispute");
  const payload = { type: "DELETE_PROJECT", payload: { id } };
  await shop.server.app.inject({ method: "POST", url: "/redux", headers: buyer.headers, payload });
  const { entries } = (await shop.server.app.inject({ url: "/api/activity", headers: buyer.headers })).json();
  const deletion = entries.find(({ kind }: { kind: string }) => kind === "projectDeleted");
  expect(deletion.undo).toEqual({ category: "static", username: "" });

  const response = await order(shop, buyer.headers, { project_name: name });
  expect(response.statusCode, response.body).toBe(200);
  await pay(shop, response.json<CheckoutSession>().id);
  await run("reconcile");
  expect(await shop.server.db.select().from(projects)).toMatchObject([{ id, status: "active", archivedAt: null }]);
});
