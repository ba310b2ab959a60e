import { readOutbox } from "@nido/test-kit/outbox";
import {
  type Headers,
  newBuyer,
  newName,
  openShop,
  order,
  planOf,
  projectsOf,
  reported,
  type Shop,
  stateOf,
} from "@nido/test-kit/shop";
import { deliver, eventsOf } from "@nido/test-kit/stripeEvents";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq, sql } from "drizzle-orm";
import type { Stripe } from "stripe";
import { expect, test } from "vitest";
import { activity, checkouts, subscriptions, tasks, users } from "../../db/schema.ts";
import { withdrawCheckouts } from "../checkout/openCheckout.ts";
import { suspendOverdue } from "./suspendOverdue.ts";
import { syncCheckout } from "./syncCheckout.ts";

const env = { PAYMENT_METHODS: "card,sepa_debit" };

/** A purchase by direct debit, whose result is not known yet. */
async function buyByDebit(shop: Shop, headers: Headers, request: Parameters<typeof order>[2] = {}) {
  const name = newName();
  const response = await order(shop, headers, { project_name: name, ...request });
  expect(response.statusCode, response.body).toBe(200);
  const { id } = response.json<{ id: string }>();
  await shop.click(`/stripe/pay/${id}`, "debit");
  const { subscription } = await shop.stripe.checkout.sessions.retrieve(id);
  return {
    id,
    name,
    subId: String(subscription),
    end: (how: string) => shop.click(`/stripe/subscription/${subscription}`, how),
  };
}

async function purchasesOf({ server }: Shop, headers: Headers) {
  return Object.values((await stateOf(server, headers)).purchases);
}

async function templatesOf(shop: Shop) {
  return (await readOutbox(shop.server)).map(({ template }) => template);
}

async function shopWithoutEvents() {
  const shop = await openShop({ env, works: false, delivers: false });
  return { shop, ...(await newBuyer(shop)) };
}

async function reconciled(shop: Shop) {
  await shop.server.db.execute("select graphile_worker.add_job('reconcile')");
  await shop.work();
}

test("a purchase by direct debit holds its name, says so, and makes the project when the money has arrived", async () => {
  const shop = await openShop({ env });
  const { headers } = await newBuyer(shop);
  const { name, end } = await buyByDebit(shop, headers, { category: "wordpress", username: "lucia" });
  await eventually(async () => expect(await purchasesOf(shop, headers)).toHaveLength(1));
  const [task] = await shop.server.db.select().from(tasks);
  expect(await purchasesOf(shop, headers)).toMatchObject([{ name, recipe: "wordpress_starter", task_id: task?.id }]);
  await reported(shop);
  expect(await templatesOf(shop)).toEqual(["purchaseProcessing"]);
  expect(await projectsOf(shop.server, headers)).toEqual([]);
  const status = await shop.server.app.inject({ url: `/billing/checkout/${name}`, headers });
  expect(status.json()).toMatchObject({ state: "processing" });
  const stranger = await newBuyer(shop);
  expect((await order(shop, stranger.headers, { project_name: name })).json()).toEqual({ error: "error_name_taken" });
  // The same order leads to the page that tells about it; another one must wait.
  const [same, other] = [
    await order(shop, headers, { project_name: name, category: "wordpress", username: "lucia" }),
    await order(shop, headers, { project_name: name }),
  ];
  expect(same.json()).toMatchObject({ url: expect.stringContaining("/newproject/wp/success") });
  expect([other.statusCode, other.json()]).toEqual([409, { error: "error_purchase_processing" }]);

  await end("debitSucceeds");
  await eventually(async () => expect(await projectsOf(shop.server, headers)).toMatchObject([{ name }]));
  expect(await purchasesOf(shop, headers)).toEqual([]);
});

test("a direct debit that fails frees the name and the promotion, ends the subscription and tells the buyer once", async () => {
  const shop = await openShop({ env });
  const [referrer, { id, headers }] = [await newBuyer(shop), await newBuyer(shop)];
  const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
  const promo = row?.refcode as string;
  const { name, subId, end } = await buyByDebit(shop, headers, { category: "wordpress", username: "lucia", promo });
  await eventually(async () => expect(await purchasesOf(shop, headers)).toHaveLength(1));
  expect((await order(shop, headers, { promo })).json()).toEqual({ error: "error_promotion_already_used" });

  await end("debitFails");
  await eventually(async () => expect(await purchasesOf(shop, headers)).toEqual([]));
  await reported(shop);
  expect(await shop.server.db.select({ state: tasks.state, error: tasks.error }).from(tasks)).toEqual([
    { state: "failed", error: "error_purchase_unpaid" },
  ]);
  expect((await shop.stripe.subscriptions.retrieve(subId)).status).toBe("canceled");
  const { data: invoices } = await shop.stripe.invoices.list({ subscription: subId });
  expect(
    invoices.map(({ status }) => status),
    "nothing is left to pay",
  ).toEqual(["void"]);
  expect(await templatesOf(shop)).toEqual(["purchaseProcessing", "purchaseFailed"]);
  const kinds = await shop.server.db.select({ kind: activity.kind }).from(activity).where(eq(activity.userId, id));
  expect(kinds.map(({ kind }) => kind)).toEqual(["purchaseProcessing", "purchaseFailed"]);

  const status = await shop.server.app.inject({ url: `/billing/checkout/${name}`, headers });
  expect(status.json()).toMatchObject({ state: "unpaid" });

  // The next time the account is offered cards only.
  const again = await order(shop, headers, { project_name: name, promo });
  expect(again.statusCode).toBe(200);
  const { payment_method_types: types } = await shop.stripe.checkout.sessions.retrieve(again.json().id);
  expect(types).toEqual(["card"]);
});

test("every event of a direct debit may come several times and in any order", async () => {
  const { shop, headers } = await shopWithoutEvents();
  for (const end of ["debitSucceeds", "debitFails"]) {
    const before = (await projectsOf(shop.server, headers)).length;
    const debit = await buyByDebit(shop, headers);
    const early = await eventsOf(shop, debit.id);
    await debit.end(end);
    const late = (await eventsOf(shop, debit.id)).filter(({ id }) => !early.some((event) => event.id === id));
    // The latest first: what was sent before the result arrives after it.
    for (const event of [...late.reverse(), ...early.reverse()]) {
      for (let copy = 0; copy < 2; copy++) await deliver(shop, { ...event, id: `${event.id}_${copy}` } as Stripe.Event);
      await shop.work();
    }
    const made = (await projectsOf(shop.server, headers)).length - before;
    expect([end, made]).toEqual([end, end === "debitSucceeds" ? 1 : 0]);
    expect(await purchasesOf(shop, headers)).toEqual([]);
  }
  const told = await templatesOf(shop);
  expect(told.filter((template) => template === "purchaseFailed")).toHaveLength(1);
});

test("reconcile finds the result of a direct debit without any event, however late", async () => {
  const { shop, headers } = await shopWithoutEvents();
  const { id, end } = await buyByDebit(shop, headers);
  await reconciled(shop);
  expect(await purchasesOf(shop, headers)).toHaveLength(1);
  await end("debitSucceeds");
  // The cursor is past the events, as after an outage of more than a month: only the result is left to ask for.
  await shop.server.db.execute(sql`update cursors set at = now() + interval '1 day'`);
  await reconciled(shop);
  expect(await projectsOf(shop.server, headers), "not due yet").toEqual([]);
  await shop.server.db.update(checkouts).set({ expiresAt: sql`now() - interval '1 second'` });
  await reconciled(shop);
  expect(await projectsOf(shop.server, headers), id).toHaveLength(1);
});

test("a failure that was interrupted after any step is completed, and told once", async () => {
  for (const step of ["cancel", "voidInvoice"] as const) {
    const { shop, headers } = await shopWithoutEvents();
    const { subId, end } = await buyByDebit(shop, headers);
    await reconciled(shop);
    await end("debitFails");
    const { billing } = shop.server;
    const stripe = billing.stripe;
    const methods = step === "cancel" ? stripe.subscriptions : stripe.invoices;
    const works = methods[step as never] as (...call: unknown[]) => Promise<unknown>;
    let lost = 0;
    Object.assign(methods, {
      // The call arrives at the provider, and the process is killed before the answer.
      [step]: async (...call: unknown[]) => {
        lost++;
        await works.apply(methods, call);
        throw new Error("killed");
      },
    });
    await reconciled(shop);
    expect(lost, "the other events' jobs found it done").toBe(1);
    Object.assign(methods, { [step]: works });
    await shop.server.db.execute("update graphile_worker._private_jobs set run_at = now()");
    await reconciled(shop);
    expect(await purchasesOf(shop, headers)).toEqual([]);
    expect((await templatesOf(shop)).filter((template) => template === "purchaseFailed")).toHaveLength(1);
    expect((await shop.stripe.invoices.list({ subscription: subId })).data[0]?.status).toBe("void");
  }
});

test("names held by direct debits count as open checkouts, and are freed after 30 days without a result", async () => {
  const { shop, headers } = await shopWithoutEvents();
  for (let index = 0; index < 5; index++) await buyByDebit(shop, headers);
  await reconciled(shop);
  await shop.server.db.update(checkouts).set({ abandonedAt: sql`now()` });
  expect((await order(shop, headers)).json()).toEqual({ error: "error_checkout_limit" });
  await shop.server.db
    .update(checkouts)
    .set({ expiresAt: sql`now()`, processingSince: sql`now() - interval '31 days'` });
  await reconciled(shop);
  expect(await purchasesOf(shop, headers)).toEqual([]);
  const { data } = await shop.stripe.subscriptions.list({ status: "canceled" });
  expect(data).toHaveLength(5);
});

test("concurrent reports of one result make one project, or tell of the failure once", async () => {
  for (const end of ["debitSucceeds", "debitFails"]) {
    const { shop, headers } = await shopWithoutEvents();
    const debit = await buyByDebit(shop, headers);
    await reconciled(shop);
    await debit.end(end);
    const { billing } = shop.server;
    await Promise.all(Array.from({ length: 8 }, () => syncCheckout(billing, debit.id)));
    expect(await projectsOf(shop.server, headers)).toHaveLength(end === "debitSucceeds" ? 1 : 0);
    const failures = (await templatesOf(shop)).filter((template) => template === "purchaseFailed");
    expect(failures).toHaveLength(end === "debitSucceeds" ? 0 : 1);
  }
});

test("an account that is closed while its debit is on its way gets no project, and its subscription ends", async () => {
  const { shop, id, headers } = await shopWithoutEvents();
  const { subId, end } = await buyByDebit(shop, headers);
  await reconciled(shop);
  await withdrawCheckouts(shop.server.billing, id);
  await shop.server.db.update(users).set({ closedAt: sql`now()` }).where(eq(users.id, id));
  await end("debitSucceeds");
  await reconciled(shop);
  await shop.work();
  expect(await shop.server.db.select({ state: checkouts.state }).from(checkouts)).toEqual([{ state: "expired" }]);
  expect((await shop.stripe.subscriptions.retrieve(subId)).status).toBe("canceled");
});

test("only cards are offered unless the operator has chosen other methods", async () => {
  const shop = await openShop({ works: false });
  const { headers } = await newBuyer(shop);
  const plan = await planOf(shop, "static_starter");
  const { id } = (await order(shop, headers, { plan })).json<{ id: string }>();
  const session = await shop.stripe.checkout.sessions.retrieve(id);
  expect(session.allowed_payment_method_types).toEqual(["card"]);
});

test("an overdue payment that is on its way does not suspend the site, and counts as overdue again if it fails", async () => {
  const shop = await openShop({ env });
  const { headers } = await newBuyer(shop);
  const { name, end } = await buyByDebit(shop, headers);
  await end("debitSucceeds");
  const project = await eventually(async () => {
    const [made] = await projectsOf(shop.server, headers);
    if (made?.name !== name) throw new Error("not made yet");
    return made;
  });
  const subscription = async () => (await stateOf(shop.server, headers)).subscriptions[project.sub_id];
  await end("debitPeriod");
  await reported(shop);
  expect(await subscription(), "a renewal in processing is not overdue").toMatchObject({ past_due: false });
  await end("debitFails");
  await eventually(async () => expect(await subscription()).toMatchObject({ past_due: true }));

  const [row] = await shop.server.db.select().from(subscriptions);
  await shop.click(new URL(row?.payUrl as string).pathname, "debit");
  await eventually(async () => expect(await subscription()).toMatchObject({ payment_step: "processing" }));
  await shop.server.db.update(subscriptions).set({ pastDueSince: sql`now() - interval '8 days'` });
  await suspendOverdue(shop.server.billing);
  expect((await projectsOf(shop.server, headers))[0]?.status).toBe("active");

  await end("debitFails");
  await eventually(async () => expect((await projectsOf(shop.server, headers))[0]?.status).toBe("suspended"));
  await shop.click(new URL(row?.payUrl as string).pathname, "debit");
  await end("debitSucceeds");
  await eventually(async () => expect((await projectsOf(shop.server, headers))[0]?.status).toBe("active"));
  expect(await subscription()).toMatchObject({ past_due: false });
});
