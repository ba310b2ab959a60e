import type { CheckoutSession } from "@nido/contract";
import { dropAnswers } from "@nido/test-kit/dropAnswers";
import { readOutbox } from "@nido/test-kit/outbox";
import { type Headers, newBuyer, newName, openShop, order, pay, planOf, type Shop } from "@nido/test-kit/shop";
import { deliver } from "@nido/test-kit/stripeEvents";
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { activity, checkouts, projects, refunds, users } from "../../db/schema.ts";
import type { StripeAccess } from "../Billing.ts";
import { fulfilCheckout } from "../sync/fulfilCheckout.ts";
import { payRefund } from "./payRefund.ts";
import { findRefunds } from "./queries.ts";
import { retryRefund, settleRefund } from "./retryRefund.ts";

async function openQuietShop(options: { through?: (access: StripeAccess) => Promise<StripeAccess> } = {}) {
  const shop = await openShop({ works: false, delivers: false, ...options });
  const run = async (...jobs: string[]) => {
    for (const job of jobs) await shop.server.db.execute(sql`select graphile_worker.add_job(${job})`);
    await shop.server.db.execute("update graphile_worker._private_jobs set run_at = now()");
    await shop.work();
  };
  return { shop, reconcile: () => run("reconcile"), again: () => run(), buyer: await newBuyer(shop) };
}

/** Pays for a name that another customer got after the checkout had expired. */
async function loseName(shop: Shop, headers: Headers, reconcile: () => Promise<void>) {
  const project_name = newName();
  const { id } = (await order(shop, headers, { project_name })).json<CheckoutSession>();
  await shop.server.db.update(checkouts).set({ state: "expired" }).where(eq(checkouts.sessionId, id));
  const other = await newBuyer(shop);
  await pay(shop, (await order(shop, other.headers, { project_name })).json<CheckoutSession>().id);
  await reconcile();
  expect(await shop.server.db.$count(projects, eq(projects.name, project_name))).toBe(1);
  await pay(shop, id);
  const session = await shop.stripe.checkout.sessions.retrieve(id);
  const subId = String(session.subscription);
  const [payment] = (await shop.stripe.invoicePayments.list({ invoice: String(session.invoice) })).data;
  return {
    name: project_name,
    subId,
    intent: payment?.payment.payment_intent as string,
    control: (action: string) => shop.click(`/stripe/subscription/${subId}`, action),
  };
}

const rowsOf = ({ server }: Shop) => server.db.select().from(refunds);
const refundsAt = async ({ stripe }: Shop) => (await stripe.refunds.list({ limit: 100 })).data;
const messagesOf = async ({ server }: Shop, template: string) =>
  (await readOutbox(server)).filter((message) => message.template === template);

test("a purchase that lost its name is refunded once, and ends", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const { name, subId, intent } = await loseName(shop, buyer.headers, reconcile);
  const active = await shop.stripe.subscriptions.retrieve(subId);
  await reconcile();
  expect(await shop.server.db.$count(projects, eq(projects.userId, buyer.id))).toBe(0);
  expect(await refundsAt(shop)).toMatchObject([{ payment_intent: intent, amount: 2900, status: "succeeded" }]);
  expect((await shop.stripe.subscriptions.retrieve(subId)).status).toBe("canceled");
  const reason = "its name was already taken";
  expect(await rowsOf(shop)).toMatchObject([
    { userId: buyer.id, subId, name, reason, amount: 2900, currency: "eur", state: "refunded", problem: null },
  ]);
  const money = { amount: 2900, currency: "eur" };
  expect(await messagesOf(shop, "purchaseRefunded")).toMatchObject([{ to: buyer.email, params: { name, ...money } }]);
  const [entry] = await shop.server.db.select().from(activity).where(eq(activity.kind, "purchaseRefunded"));
  expect(entry).toMatchObject({ userId: buyer.id, params: { project: name, ...money } });

  const path = `/billing/checkout/${name}`;
  const status = await shop.server.app.inject({ url: path, headers: buyer.headers });
  expect(status.json()).toEqual({ state: "refunded" });

  // Everything is reported again, while the name is free.
  await shop.server.db.delete(projects);
  for (const event of (await shop.stripe.events.list({ limit: 100 })).data)
    await deliver(shop, { ...event, id: `${event.id}_again` });
  await shop.work();
  await reconcile();
  // A job that read the subscription before it was ended.
  await fulfilCheckout(shop.server.billing, active);
  expect(await shop.server.db.$count(projects)).toBe(0);
  expect(await refundsAt(shop)).toHaveLength(1);
  expect(await messagesOf(shop, "purchaseRefunded")).toHaveLength(1);
});

test("a purchase for an account that was closed is refunded", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const { id } = (await order(shop, buyer.headers)).json<CheckoutSession>();
  await pay(shop, id);
  await shop.server.db.update(users).set({ closedAt: sql`now()` });
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ reason: "the account was closed", state: "refunded" }]);
  expect(await refundsAt(shop)).toHaveLength(1);
});

test("a purchase that does not match its checkout is refunded to whoever paid, and ends", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const payer = await newBuyer(shop);
  for (const { headers } of [buyer, payer]) await order(shop, headers);
  const [checkout] = await shop.server.db.select().from(checkouts).where(eq(checkouts.userId, buyer.id));
  const [row] = await shop.server.db.select().from(users).where(eq(users.id, payer.id));
  const metadata = { checkout: checkout?.id as string };
  const session = await shop.stripe.checkout.sessions.create({
    mode: "subscription",
    customer: row?.providerId as string,
    line_items: [{ price: await planOf(shop, "static_starter"), quantity: 1 }],
    success_url: "http://localhost:3000",
    client_reference_id: metadata.checkout,
    metadata,
    subscription_data: { metadata },
  });
  await pay(shop, session.id);
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ userId: payer.id, state: "refunded" }]);
  expect(await messagesOf(shop, "purchaseRefunded")).toMatchObject([{ to: payer.email }]);
  expect((await shop.stripe.subscriptions.list({ status: "all" })).data).toMatchObject([{ status: "canceled" }]);
  // The buyer's own payment page still works.
  await pay(shop, checkout?.sessionId as string);
  await reconcile();
  expect(await shop.server.db.$count(projects)).toBe(1);
  expect(await refundsAt(shop)).toHaveLength(1);
});

test("a second payment of one checkout is refunded", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const { id } = (await order(shop, buyer.headers)).json<CheckoutSession>();
  const [checkout] = await shop.server.db.select().from(checkouts);
  const first = await shop.stripe.checkout.sessions.retrieve(id);
  const metadata = { checkout: checkout?.id as string };
  const second = await shop.stripe.checkout.sessions.create({
    mode: "subscription",
    customer: String(first.customer),
    line_items: [{ price: checkout?.planId as string, quantity: 1 }],
    success_url: "http://localhost:3000",
    client_reference_id: metadata.checkout,
    metadata,
    subscription_data: { metadata },
  });
  await pay(shop, id);
  await reconcile();
  await pay(shop, second.id);
  await reconcile();
  expect(await shop.server.db.$count(projects)).toBe(1);
  expect(await rowsOf(shop)).toMatchObject([{ reason: "the checkout was already paid", state: "refunded" }]);
});

test("the buyer gets the refund and the message if the provider's customer was replaced", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const { id } = (await order(shop, buyer.headers)).json<CheckoutSession>();
  await pay(shop, id);
  const { id: replacement } = await shop.stripe.customers.create({ email: buyer.email });
  await shop.server.db.update(users).set({ providerId: replacement });
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ userId: buyer.id, state: "refunded" }]);
  expect(await messagesOf(shop, "purchaseRefunded")).toMatchObject([{ to: buyer.email }]);
});

test("a purchase that an operator refunded by hand is settled, and an old one waits for a person", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const settled = await loseName(shop, buyer.headers, reconcile);
  await shop.stripe.refunds.create({ payment_intent: settled.intent, amount: 1000 });
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ state: "settled", problem: "it was refunded by hand" }]);
  expect(await refundsAt(shop)).toHaveLength(1);
  expect(await findRefunds(shop.server.db)).toEqual({ owed: [], refunded: [] });

  const old = await openQuietShop();
  const { sessions } = old.shop.server.billing.stripe.checkout;
  const list = sessions.list.bind(sessions);
  const created = Math.floor(Date.now() / 1000) - 8 * 86_400;
  vi.spyOn(sessions, "list").mockImplementation((async (params: object) => {
    const { data } = await list(params);
    // It has been renewed since, so its latest invoice is not that of the purchase.
    return { data: data.map((session) => ({ ...session, created, invoice: "in_first" })) };
  }) as never);
  await loseName(old.shop, old.buyer.headers, old.reconcile);
  await old.reconcile();
  await old.reconcile();
  const { owed } = await findRefunds(old.shop.server.db);
  expect(owed).toMatchObject([{ email: old.buyer.email, refund: { state: "owed" } }]);
  expect(owed[0]?.refund.problem).toMatch(/old/);
  expect(await refundsAt(old.shop)).toEqual([]);
  const id = owed[0]?.refund.id as string;
  expect(await settleRefund(old.shop.server.billing, id)).toBe(true);
  expect(await settleRefund(old.shop.server.billing, id)).toBe(false);
  expect(await retryRefund(old.shop.server.billing, id)).toBeUndefined();
  expect(await refundsAt(old.shop)).toEqual([]);
});

test("the refund of a disputed purchase waits for the bank, and a lost dispute settles it", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const won = await loseName(shop, buyer.headers, reconcile);
  await won.control("dispute");
  await reconcile();
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ state: "owed", problem: "the payment is disputed" }]);
  expect(await refundsAt(shop)).toEqual([]);
  expect(await messagesOf(shop, "operatorRefund")).toHaveLength(1);
  await won.control("winDispute");
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ state: "refunded", problem: null }]);
  expect(await refundsAt(shop)).toHaveLength(1);

  const lost = await loseName(shop, buyer.headers, reconcile);
  await lost.control("dispute");
  await reconcile();
  await lost.control("loseDispute");
  await reconcile();
  const [row] = await shop.server.db.select().from(refunds).where(eq(refunds.subId, lost.subId));
  expect(row).toMatchObject({ state: "settled", problem: "the bank has returned the payment" });
  expect(await refundsAt(shop)).toHaveLength(1);
});

test("a refund that takes days is pending, and one that the bank returns is owed again, with the reason", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const { control } = await loseName(shop, buyer.headers, reconcile);
  await control("slowRefunds");
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ state: "pending" }]);
  await control("settleRefund");
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ state: "refunded" }]);
  await control("failRefund");
  await reconcile();
  const { owed } = await findRefunds(shop.server.db);
  const problem = "the bank returned it: expired_or_canceled_card";
  expect(owed).toMatchObject([{ refund: { state: "failed", problem, attempt: 1 } }]);
  expect(await messagesOf(shop, "operatorRefund")).toMatchObject([{ params: { problem } }]);
  await reconcile();
  expect(await refundsAt(shop)).toHaveLength(1);

  const retried = await retryRefund(shop.server.billing, owed[0]?.refund.id as string);
  expect(retried).toMatchObject({ state: "pending", attempt: 2 });
  await control("settleRefund");
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ state: "refunded", problem: null }]);
  expect(await refundsAt(shop)).toMatchObject([{ status: "succeeded" }, { status: "failed" }]);
  expect(await messagesOf(shop, "purchaseRefunded")).toHaveLength(1);
});

test("a refund whose answers are lost, and that is tried by many workers at once, is made and told once", async () => {
  // The Stripe client tries three times. The job is interrupted after the provider has made the refund.
  const { shop, buyer, reconcile, again } = await openQuietShop({
    through: (access) => dropAnswers(access, 3, "/v1/refunds"),
  });
  await loseName(shop, buyer.headers, reconcile);
  await reconcile();
  expect(await refundsAt(shop)).toHaveLength(1);
  expect(await rowsOf(shop)).toMatchObject([{ state: "owed" }]);
  expect(await messagesOf(shop, "purchaseRefunded")).toEqual([]);

  const id = (await rowsOf(shop))[0]?.id as string;
  await Promise.all(Array.from({ length: 8 }, () => payRefund(shop.server.billing, id)));
  await again();
  await reconcile();
  expect(await refundsAt(shop)).toHaveLength(1);
  expect(await rowsOf(shop)).toMatchObject([{ state: "refunded" }]);
  expect(await messagesOf(shop, "purchaseRefunded")).toHaveLength(1);
});

test("a refund that the bank returned before it was recorded is not made again", async () => {
  const { shop, buyer, reconcile, again } = await openQuietShop({
    through: (access) => dropAnswers(access, 3, "/v1/refunds"),
  });
  const { control } = await loseName(shop, buyer.headers, reconcile);
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ state: "owed" }]);
  await control("failRefund");
  await again();
  expect(await rowsOf(shop)).toMatchObject([{ state: "failed" }]);
  expect(await refundsAt(shop)).toMatchObject([{ status: "failed" }]);
});

test("many workers at once make one refund", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const { intent } = await loseName(shop, buyer.headers, reconcile);
  const invoice = (
    await shop.stripe.invoicePayments.list({ payment: { type: "payment_intent", payment_intent: intent } })
  ).data[0]?.invoice as string;
  const purchase = { subId: "sub_lost", name: "lost", reason: "refused", invoiceId: invoice };
  const [row] = await shop.server.db
    .insert(refunds)
    .values({ ...purchase, userId: buyer.id, amount: 2900, currency: "eur" })
    .returning();
  await Promise.all(Array.from({ length: 8 }, () => payRefund(shop.server.billing, row?.id as string)));
  expect(await refundsAt(shop)).toHaveLength(1);
  expect(await messagesOf(shop, "purchaseRefunded")).toHaveLength(1);
});

test("a job that was lost is queued again", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  await loseName(shop, buyer.headers, reconcile);
  await shop.server.db.execute(sql`create function lose() returns trigger language plpgsql as 'begin
    if new.key like ''payRefund%'' then return null; end if; return new; end'`);
  await shop.server.db.execute(
    sql`create trigger lose before insert on graphile_worker._private_jobs for each row execute function lose()`,
  );
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ state: "owed" }]);
  await shop.server.db.execute(sql`drop trigger lose on graphile_worker._private_jobs`);
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ state: "refunded" }]);
});

test("the credit that paid a part of the purchase is given back once", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const { invoices } = shop.server.billing.stripe;
  const retrieve = invoices.retrieve.bind(invoices);
  const balances = { starting_balance: -1000, ending_balance: -200 };
  vi.spyOn(invoices, "retrieve").mockImplementation((async (id: string) => ({
    ...(await retrieve(id)),
    ...balances,
  })) as never);
  const { subId } = await loseName(shop, buyer.headers, reconcile);
  await reconcile();
  const id = (await rowsOf(shop))[0]?.id as string;
  await shop.server.db.update(refunds).set({ state: "owed" });
  await payRefund(shop.server.billing, id);
  const { customer } = await shop.stripe.subscriptions.retrieve(subId);
  const { data } = await shop.stripe.customers.listBalanceTransactions(String(customer));
  expect(data).toMatchObject([{ amount: -800, currency: "eur" }]);
  expect(await refundsAt(shop)).toMatchObject([{ amount: 2900 }]);
});

test("a purchase that cost nothing is told, without a refund", async () => {
  const { shop, buyer, reconcile } = await openQuietShop();
  const referrer = await newBuyer(shop);
  const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
  shop.server.billing.config = { ...shop.server.billing.config, REFERRAL_PERCENT_OFF: 100 };
  const request = { promo: row?.refcode as string };
  await pay(shop, (await order(shop, buyer.headers, request)).json<CheckoutSession>().id);
  await shop.server.db.update(users).set({ closedAt: sql`now()` }).where(eq(users.id, buyer.id));
  await reconcile();
  expect(await rowsOf(shop)).toMatchObject([{ state: "refunded", amount: 0 }]);
  expect(await refundsAt(shop)).toEqual([]);
  expect(await messagesOf(shop, "purchaseRefunded")).toMatchObject([{ params: { amount: 0 } }]);
});
