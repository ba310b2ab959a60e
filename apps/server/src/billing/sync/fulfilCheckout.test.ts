import type { CheckoutSession } from "@nido/contract";
import { listen } from "@nido/test-kit/app";
import { whileAway } from "@nido/test-kit/database";
import { dropAnswers } from "@nido/test-kit/dropAnswers";
import { testLong } from "@nido/test-kit/long";
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
  type Shop,
  settled,
  stateOf,
} from "@nido/test-kit/shop";
import { follow, openSocket } from "@nido/test-kit/socket";
import { deliver, eventsOf } from "@nido/test-kit/stripeEvents";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq } from "drizzle-orm";
import type { Stripe } from "stripe";
import { describe, expect, test } from "vitest";
import { checkouts, events, projects, subscriptions, tasks, users } from "../../db/schema.ts";
import { fulfilCheckout } from "./fulfilCheckout.ts";
import { eventTypes } from "./receiveEvent.ts";
import { webhookPath } from "./webhookRoute.ts";

const mainEvents = [
  "checkout.session.completed",
  "customer.subscription.created",
  "invoice.created",
  "invoice.paid",
  "invoice.payment_succeeded",
];

/** A purchase that is paid at the provider, with no event delivered yet. */
async function payWithoutEvents(shop: Shop, headers: Headers, request: Parameters<typeof order>[2] = {}) {
  const response = await order(shop, headers, request);
  expect(response.statusCode, response.body).toBe(200);
  const { id } = response.json<CheckoutSession>();
  await pay(shop, id);
  return { id, events: await eventsOf(shop, id) };
}

async function shopWithoutEvents() {
  const shop = await openShop({ works: false, delivers: false });
  return { shop, buyer: await newBuyer(shop) };
}

describe("a purchase", () => {
  test("of a static site creates an active project with its subscription, pushed to open dashboards", async () => {
    const shop = await openShop();
    const { headers } = await newBuyer(shop);
    const { messages } = await openSocket(await listen(shop.server), headers);
    const project = await buy(shop, headers);
    expect(project).toMatchObject({
      recipe: "static_starter",
      recipe_id: "nido_static_starter",
      status: "active",
      url: `http://${project.name}.localhost:3000`,
    });
    const subscription = await shop.stripe.subscriptions.retrieve(project.sub_id);
    const [item] = subscription.items.data;
    expect((await stateOf(shop.server, headers)).subscriptions[project.sub_id]).toEqual({
      id: project.sub_id,
      created: subscription.created,
      current_period_start: item?.current_period_start,
      current_period_end: item?.current_period_end,
      plan: { amount: 2900, currency: "eur", interval: "year" },
      cancel_at_period_end: false,
      past_due: false,
    });
    await eventually(() => expect(follow(messages).projects[project.id]).toEqual(project));

    const page = await shop.server.app.inject({ url: "/", headers: { host: `${project.name}.localhost:3000` } });
    expect([page.statusCode, page.headers["content-security-policy"]]).toEqual([200, undefined]);
    expect(page.body).toContain(`${project.name} está casi en línea`);
  });

  test("of a WordPress creates a provisioning project, and enqueues the job with its task", async () => {
    const shop = await openShop();
    const { headers } = await newBuyer(shop);
    const project = await buy(shop, headers, { category: "wordpress", username: "lucia" });
    expect(project).toMatchObject({ recipe: "wordpress_starter", status: "provisioning" });
    const { rows } = await shop.server.db.$client.query(
      "select payload from graphile_worker._private_jobs where key like 'provisionWordPress:%'",
    );
    const [checkout] = await shop.server.db.select().from(checkouts);
    expect(rows).toEqual([
      { payload: { projectId: project.id, taskId: checkout?.taskId, username: "lucia", lang: "es" } },
    ]);
    const page = await shop.server.app.inject({ url: "/", headers: { host: `${project.name}.localhost:3000` } });
    expect([page.statusCode, page.headers["retry-after"]]).toEqual([503, "60"]);
    const none = await shop.server.app.inject({ url: "/", headers: { host: "nobody.localhost:3000" } });
    expect([none.statusCode, none.body]).toEqual([404, expect.stringContaining("Aquí no hay ningún sitio")]);
  });

  test("that costs nothing creates a project too", async () => {
    const shop = await openShop({ env: { REFERRAL_PERCENT_OFF: "100" } });
    const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
    const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
    const project = await buy(shop, buyer.headers, { promo: row?.refcode as string });
    const { data } = await shop.stripe.checkout.sessions.list({ subscription: project.sub_id });
    expect(data[0]?.payment_status).toBe("no_payment_required");
  });

  test("creates one project if every event is delivered 50 times concurrently", async () => {
    const shop = await openShop({ delivers: false });
    const { headers } = await newBuyer(shop);
    const { events: emitted } = await payWithoutEvents(shop, headers, { category: "wordpress", username: "lucia" });
    const copies = emitted.flatMap((event) => Array<Stripe.Event>(50).fill(event));
    const answers = await Promise.all(copies.map((event) => deliver(shop, event)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    await eventually(async () => expect(await projectsOf(shop.server, headers)).toHaveLength(1));
    await settled(shop);
    expect(await projectsOf(shop.server, headers)).toHaveLength(1);
    expect(await shop.server.db.select().from(subscriptions)).toHaveLength(1);
  });

  testLong("creates one project for any order of the five main events", async () => {
    const { shop, buyer } = await shopWithoutEvents();
    const orders = permutations(mainEvents);
    expect(orders).toHaveLength(120);
    const plan = await planOf(shop, "static_starter");
    let bought = 0;
    for (const types of orders) {
      const { events: emitted } = await payWithoutEvents(shop, buyer.headers, { plan });
      for (const type of types) {
        const event = emitted.find((one) => one.type === type);
        expect((await deliver(shop, event as Stripe.Event)).statusCode).toBe(200);
        if (eventTypes.some((known) => known === type)) await shop.work();
      }
      bought++;
      expect(await projectsOf(shop.server, buyer.headers), types.join(", ")).toHaveLength(bought);
    }
    expect(await shop.server.db.select().from(subscriptions)).toHaveLength(120);
  });

  test("is found by reconcile if no event is delivered", async () => {
    const { shop, buyer } = await shopWithoutEvents();
    await payWithoutEvents(shop, buyer.headers);
    expect(await projectsOf(shop.server, buyer.headers)).toEqual([]);
    await reconciled(shop);
    expect(await projectsOf(shop.server, buyer.headers)).toHaveLength(1);
    await reconciled(shop);
    expect(await projectsOf(shop.server, buyer.headers)).toHaveLength(1);
  });

  test("in two tabs with different names creates two projects", async () => {
    const shop = await openShop();
    const { headers } = await newBuyer(shop);
    await Promise.all([buy(shop, headers), buy(shop, headers)]);
    expect(await projectsOf(shop.server, headers)).toHaveLength(2);
  });

  test("creates one customer, session and subscription if the first answer to each call is lost", async () => {
    const shop = await openShop({ through: (access) => dropAnswers(access, 1) });
    const buyer = await newBuyer(shop);
    const referrer = await newBuyer(shop);
    const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
    const project = await buy(shop, buyer.headers, { promo: row?.refcode as string });
    expect((await shop.stripe.customers.list()).data).toHaveLength(1);
    expect((await shop.stripe.checkout.sessions.list()).data).toHaveLength(1);
    expect((await shop.stripe.subscriptions.list({ status: "all" })).data).toHaveLength(1);
    expect((await shop.stripe.coupons.list()).data).toHaveLength(1);
    expect((await shop.stripe.products.list({ limit: 100 })).data).toHaveLength(4);

    const payload = { type: "DELETE_PROJECT", payload: { id: project.id } };
    await shop.server.app.inject({ method: "POST", url: "/redux", headers: buyer.headers, payload });
    await eventually(async () => {
      expect(await shop.stripe.subscriptions.retrieve(project.sub_id)).toMatchObject({
        cancel_at_period_end: true,
      });
    });
    const { data } = await shop.stripe.events.list({ type: "customer.subscription.updated" });
    expect(data).toHaveLength(1);
  });

  test("whose answers were lost in all attempts continues with the same session when it is requested again", async () => {
    // The Stripe client tries three times; the fourth call is the customer's second click.
    const shop = await openShop({ works: false, through: (access) => dropAnswers(access, 3, "/v1/checkout/sessions") });
    const { headers } = await newBuyer(shop);
    const request = { project_name: newName() };
    expect((await order(shop, headers, request)).statusCode).toBe(502);
    expect((await order(shop, headers, request)).statusCode).toBe(200);
    expect((await shop.stripe.checkout.sessions.list()).data).toHaveLength(1);
  });
});

describe("fulfilment", () => {
  test("a forged, stale or re-serialised event is refused", async () => {
    const { shop, buyer } = await shopWithoutEvents();
    const { events: emitted } = await payWithoutEvents(shop, buyer.headers);
    const event = emitted.at(-1) as Stripe.Event;
    const payload = JSON.stringify(event, null, 2);
    const signed = (secret: string) => shop.stripe.webhooks.generateTestHeaderString({ payload, secret });
    const send = (headers: Record<string, string>, body: string) =>
      shop.server.app.inject({
        method: "POST",
        url: webhookPath,
        headers: { host: "localhost:3000", "content-type": "application/json", ...headers },
        payload: body,
      });

    expect((await send({}, payload)).statusCode).toBe(400);
    expect((await send({ "stripe-signature": "t=1,v1=00" }, payload)).statusCode).toBe(400);
    expect((await send({ "stripe-signature": signed("whsec_other") }, payload)).statusCode).toBe(400);
    const genuine = signed(shop.webhookSecret);
    expect((await send({ "stripe-signature": genuine }, JSON.stringify(event))).statusCode, "written anew").toBe(400);
    expect((await send({ "stripe-signature": genuine }, "")).statusCode).toBe(400);
    const now = Math.floor(Date.now() / 1000);
    expect((await deliver(shop, event, now - 301)).statusCode, "stale").toBe(400);
    expect(await shop.server.db.select().from(events)).toEqual([]);
    expect((await deliver(shop, event, now - 290)).statusCode).toBe(200);
    expect((await deliver(shop, { ...event, id: "evt_x", type: "tax_rate.created" } as never)).statusCode).toBe(200);
    expect(await shop.server.db.select().from(events)).toHaveLength(1);
  });

  test("an event is not acknowledged while the database is unreachable, and has its effect once when redelivered", async () => {
    const { shop, buyer } = await shopWithoutEvents();
    const { events: emitted } = await payWithoutEvents(shop, buyer.headers);
    await whileAway(shop.server.databaseUrl, async () => {
      for (const event of emitted) expect((await deliver(shop, event)).statusCode).toBe(500);
    });
    for (const event of emitted) expect((await deliver(shop, event)).statusCode).toBe(200);
    await shop.work();
    expect(await projectsOf(shop.server, buyer.headers)).toHaveLength(1);
  });

  test("an event with made-up contents has no effect, because the session is read from the provider", async () => {
    const { shop, buyer } = await shopWithoutEvents();
    const { id } = (await order(shop, buyer.headers)).json<CheckoutSession>();
    const session = await shop.stripe.checkout.sessions.retrieve(id);
    const paid = { ...session, status: "complete", payment_status: "paid", subscription: "sub_made_up" };
    const event = { id: "evt_1", object: "event", type: "checkout.session.completed", data: { object: paid } };
    expect((await deliver(shop, event as never)).statusCode).toBe(200);
    await shop.work();
    expect(await projectsOf(shop.server, buyer.headers), "the session is not paid").toEqual([]);
  });

  test("a session creates no project until it is complete and paid", async () => {
    const { shop, buyer } = await shopWithoutEvents();
    const { id } = await payWithoutEvents(shop, buyer.headers);
    const session = await shop.stripe.checkout.sessions.retrieve(id);
    const subscription = await shop.stripe.subscriptions.retrieve(String(session.subscription));
    const bought = await shop.stripe.checkout.sessions.listLineItems(id);
    const reading = (change: object) => ({
      ...shop.server.billing,
      stripe: {
        checkout: {
          sessions: { list: async () => ({ data: [{ ...session, ...change }] }), listLineItems: async () => bought },
        },
        invoicePayments: shop.stripe.invoicePayments,
      } as never,
    });
    await fulfilCheckout(reading({ payment_status: "unpaid" }), subscription);
    await fulfilCheckout(reading({ status: "open" }), subscription);
    expect(await shop.server.db.select().from(projects)).toEqual([]);
    await fulfilCheckout(reading({}), { ...subscription, status: "past_due" });
    expect(await shop.server.db.select().from(projects)).toHaveLength(1);
  });

  test("a payment for an expired checkout still creates its project, without a promotion used elsewhere", async () => {
    const { shop, buyer } = await shopWithoutEvents();
    const referrer = await newBuyer(shop);
    const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
    const request = { category: "wordpress", username: "lucia", promo: row?.refcode as string } as const;
    const { id } = (await order(shop, buyer.headers, request)).json<CheckoutSession>();
    await shop.server.db.update(checkouts).set({ state: "expired" });
    await shop.server.db.update(tasks).set({ state: "failed" });
    expect((await order(shop, buyer.headers, { promo: request.promo })).statusCode).toBe(200);
    await pay(shop, id);
    await reconciled(shop);
    const [checkout] = await shop.server.db.select().from(checkouts).where(eq(checkouts.sessionId, id));
    expect(checkout).toMatchObject({ state: "paid", referrerId: null });
    const [task] = await shop.server.db.select().from(tasks);
    expect(task?.state).toBe("pending");
    expect(await projectsOf(shop.server, buyer.headers)).toHaveLength(1);
  });

  test("a subscription cancelled before it was fulfilled expires its checkout and releases the name", async () => {
    const { shop, buyer } = await shopWithoutEvents();
    const name = newName();
    const { id } = await payWithoutEvents(shop, buyer.headers, { project_name: name });
    const session = await shop.stripe.checkout.sessions.retrieve(id);
    await shop.stripe.subscriptions.cancel(String(session.subscription));
    await reconciled(shop);
    expect(await shop.server.db.select({ state: checkouts.state }).from(checkouts)).toEqual([{ state: "expired" }]);
    expect((await order(shop, buyer.headers, { project_name: name })).statusCode).toBe(200);
  });

  test("a purchase whose plan was changed at the provider before it was recorded creates its project, with that plan", async () => {
    const { shop, buyer } = await shopWithoutEvents();
    const { id } = await payWithoutEvents(shop, buyer.headers, { category: "wordpress", username: "lucia" });
    const session = await shop.stripe.checkout.sessions.retrieve(id);
    const { items, id: subId } = await shop.stripe.subscriptions.retrieve(String(session.subscription));
    const price = await planOf(shop, "wordpress_pro");
    await shop.stripe.subscriptions.update(subId, { items: [{ id: items.data[0]?.id as string, price }] });
    await reconciled(shop);
    const [project] = await projectsOf(shop.server, buyer.headers);
    expect(project).toMatchObject({ sub_id: subId, recipe: "wordpress_pro" });
  });

  test("a purchase that does not match its checkout creates no project", async () => {
    const { shop, buyer } = await shopWithoutEvents();
    const other = await newBuyer(shop);
    const plan = await planOf(shop, "static_starter");
    const cheap = await shop.stripe.prices.create({
      product: "nido_static_starter",
      currency: "eur",
      unit_amount: 60,
      recurring: { interval: "year" },
    });
    await order(shop, buyer.headers);
    await order(shop, other.headers);
    const [checkout] = await shop.server.db.select().from(checkouts).where(eq(checkouts.userId, buyer.id));
    const rows = await shop.server.db.select().from(users);
    const customerOf = (id: string) => rows.find((row) => row.id === id)?.providerId as string;
    await shop.server.db.update(checkouts).set({ sessionId: null });

    const sell = async (price: string, customer: string, reference: string, metadata: Record<string, string>) => {
      const session = await shop.stripe.checkout.sessions.create({
        mode: "subscription",
        customer,
        line_items: [{ price, quantity: 1 }],
        success_url: "http://localhost:3000",
        client_reference_id: reference,
        metadata,
        subscription_data: { metadata },
      });
      await pay(shop, session.id);
      for (const event of await eventsOf(shop, session.id)) await deliver(shop, event);
      await shop.work();
      return projectsOf(shop.server, buyer.headers);
    };
    const id = checkout?.id as string;
    expect(await sell(cheap.id, customerOf(buyer.id), id, { checkout: id }), "another price").toEqual([]);
    expect(await sell(plan, customerOf(other.id), id, { checkout: id }), "somebody else's card").toEqual([]);
    expect(await sell(plan, customerOf(buyer.id), id, { checkout: "x" }), "foreign metadata").toEqual([]);
    expect(await sell(plan, customerOf(buyer.id), "no-uuid", { checkout: id }), "no reservation").toEqual([]);
    expect(await shop.server.db.select().from(projects)).toEqual([]);
    // A matching purchase is fulfilled, although its session was never recorded.
    expect(await sell(plan, customerOf(buyer.id), id, { checkout: id })).toHaveLength(1);
  });
});

async function reconciled(shop: Shop) {
  await shop.server.db.execute("select graphile_worker.add_job('reconcile')");
  await shop.work();
}

function permutations<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
