import type { PlanChangeResult, PlanPage, PlanQuote } from "@nido/contract";
import {
  buy,
  type Headers,
  newBuyer,
  openShop,
  planOf,
  reported,
  type Shop,
  settled,
  stateOf,
} from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { activity, projects, subscriptions, wordpressSites } from "../../db/schema.ts";
import { recordReport } from "../../wordpress/dueSites.ts";
import { quotePlanChange } from "./quotePlanChange.ts";

const day = 24 * 60 * 60 * 1000;

async function call<Body>({ server }: Shop, headers: Headers, path: string, payload?: object) {
  const url = `/billing/plan/${path}`;
  const response = await server.app.inject(payload ? { method: "POST", url, headers, payload } : { url, headers });
  return { status: response.statusCode, body: response.json<Body>() };
}

/** A customer in Spain with an active WordPress site on the starter plan, by the year. */
async function openStarter(env: Record<string, string> = {}) {
  const shop = await openShop({ env: { STRIPE_AUTOMATIC_TAX: "on", ...env } });
  const buyer = await newBuyer(shop);
  const payload = {
    type: "UPDATE_USER_ADDRESS",
    payload: { user_address: "", user_city: "", user_state: "", user_zipcode: "", user_country: "ES" },
  };
  await shop.server.app.inject({ method: "POST", url: "/redux", headers: buyer.headers, payload });
  const { id, sub_id } = await buy(shop, buyer.headers, { category: "wordpress", username: "lucia" });
  await reported(shop);
  await shop.server.db.update(projects).set({ status: "active" }).where(eq(projects.id, id));
  const { headers } = buyer;
  return {
    shop,
    buyer,
    id,
    sub_id,
    page: async () => (await call<PlanPage>(shop, headers, id)).body,
    quote: async (plan: string) => (await call<PlanQuote>(shop, headers, `${id}/quote`, { plan })).body,
    change: (plan: string, at: number) => call<PlanChangeResult & { error?: string }>(shop, headers, id, { plan, at }),
    refusal: async (plan: string) => (await call<{ error: string }>(shop, headers, `${id}/quote`, { plan })).body.error,
    charges: async () => (await shop.stripe.charges.list({ limit: 100 })).data.map(({ amount }) => amount),
    project: async () => (await stateOf(shop.server, headers)).projects[id],
    subscription: async () => (await stateOf(shop.server, headers)).subscriptions[sub_id],
  };
}

test("an upgrade is quoted with VAT, charged once however often it is sent, and applied", async () => {
  const site = await openStarter();
  const pro = await planOf(site.shop, "wordpress_pro");
  const before = await site.page();
  expect(before).toMatchObject({
    current: await planOf(site.shop, "wordpress_starter"),
    has_staging: false,
    next: { total: 7139, vat: 1239, due: 7139 },
  });
  expect(before.offers.map(({ plan }) => plan.amount).sort((a, b) => a - b)).toEqual([
    600, 1200, 2400, 5900, 11_900, 23_900,
  ]);
  expect(before.undo).toBeUndefined();

  const quote = await site.quote(pro);
  expect(quote).toMatchObject({ plan: pro, currency: "eur", next: { total: 14_399, vat: 2499, due: 14_399 } });
  expect(quote.total).toBe(quote.charged - quote.credited + quote.vat);
  expect(quote.due).toBe(quote.total);
  expect(quote.charged - quote.credited).toBe(6000);
  const results = await Promise.all([1, 2, 3].map(() => site.change(pro, quote.at)));
  // One that comes while another runs may find the provider busy with it; none is charged twice.
  expect(results.map(({ body }) => body)).toContainEqual({ state: "changed" });
  expect(await site.change(pro, quote.at)).toEqual({ status: 200, body: { state: "changed" } });
  expect(await site.charges()).toEqual([quote.due, 7139]);
  expect(await site.project()).toMatchObject({ recipe: "wordpress_pro", disk: { allowed: 25e9 } });
  expect((await site.subscription())?.plan).toEqual({ amount: 11_900, currency: "eur", interval: "year" });
  const entries = await site.shop.server.db.select().from(activity).where(eq(activity.kind, "planChanged"));
  expect(entries).toEqual([
    expect.objectContaining({ params: expect.objectContaining({ recipe: "wordpress_pro", interval: "year" }) }),
  ]);
  expect((await site.page()).undo).toBeUndefined();
});

test("in the middle of a period, the unused half is credited and the other half charged", async () => {
  const site = await openStarter();
  const [monthly, business] = await Promise.all([
    planOf(site.shop, "wordpress_starter", "month"),
    planOf(site.shop, "wordpress_business", "month"),
  ]);
  await site.change(monthly, (await site.quote(monthly)).at);
  const { periodEnd, periodStart } = await rowOf(site);
  vi.useFakeTimers({ toFake: ["Date"], now: (periodStart.getTime() + periodEnd.getTime()) / 2 });
  onTestFinished(() => void vi.useRealTimers());
  // The credit of the yearly plan pays it.
  // Not through the route: the session has expired by then.
  const quote = await quotePlanChange(site.shop.server.billing, site.buyer.id, site.id, business);
  expect(quote).toMatchObject({ credited: 300, charged: 1200, vat: 189, total: 1089, due: 0 });
  expect(quote.balance).toBe(7139 - 726 - 1089);
});

test("a downgrade is credited, pays the next invoices, and can be undone without a charge", async () => {
  const site = await openStarter();
  const [starter, business, monthly] = await Promise.all([
    planOf(site.shop, "wordpress_starter"),
    planOf(site.shop, "wordpress_business"),
    planOf(site.shop, "wordpress_pro", "month"),
  ]);
  await site.change(business, (await site.quote(business)).at);
  const paid = await site.charges();

  const down = await site.quote(monthly);
  expect(down).toMatchObject({ charged: 1200, due: 0, next: { total: 1452, due: 0 } });
  expect(down.balance).toBe(-down.total);
  const inAMonth = Date.parse(down.next.at) - Date.now();
  expect(inAMonth).toBeGreaterThan(27 * day);
  expect(inAMonth).toBeLessThan(32 * day);
  expect((await site.change(monthly, down.at)).body).toEqual({ state: "changed" });
  expect((await site.subscription())?.plan).toEqual({ amount: 1200, currency: "eur", interval: "month" });
  const page = await site.page();
  expect(page).toMatchObject({ current: monthly, undo: business, next: { total: 1452, due: 0 } });

  const back = await site.quote(business);
  expect(back.due).toBe(0);
  expect((await site.change(business, back.at)).body).toEqual({ state: "changed" });
  expect(await site.project()).toMatchObject({ recipe: "wordpress_business" });
  expect(await site.charges()).toEqual(paid);
  expect((await site.page()).undo).toBeUndefined();
  expect(await site.refusal(business)).toBe("error_plan_same");
  expect(await site.refusal(starter)).toBeUndefined();
});

test("changing back as at a moment before the last change, to gain credit, is refused", async () => {
  const site = await openStarter();
  const [starter, business] = await Promise.all([
    planOf(site.shop, "wordpress_starter"),
    planOf(site.shop, "wordpress_business"),
  ]);
  await site.change(business, (await site.quote(business)).at);
  const { at } = await site.quote(starter);
  expect((await site.change(starter, at - 800)).body.error).toBe("error_plan_quote_outdated");
  expect((await site.change(starter, at)).body).toEqual({ state: "changed" });
});

test("a customer who pays by direct debit has the new plan at once, and owes it if the debit fails", async () => {
  const site = await openStarter();
  const pro = await planOf(site.shop, "wordpress_pro");
  await site.shop.click(`/stripe/subscription/${site.sub_id}`, "debitPeriod");
  await site.shop.click(`/stripe/subscription/${site.sub_id}`, "debitSucceeds");
  await reported(site.shop);
  // The control page has begun a period in the future.
  const { periodStart } = await rowOf(site);
  const { at } = await site.quote(pro);
  expect(at).toBe(periodStart.getTime() / 1000);
  expect((await site.change(pro, at)).body).toEqual({ state: "changed" });
  expect(await site.project()).toMatchObject({ recipe: "wordpress_pro" });
  expect(await site.subscription()).toMatchObject({ past_due: false });
  await site.shop.click(`/stripe/subscription/${site.sub_id}`, "debitFails");
  await eventually(async () => expect(await site.subscription()).toMatchObject({ past_due: true }));
});

test("a difference that the card does not pay leaves the old plan until it is paid on the provider's page", async () => {
  const site = await openStarter();
  const pro = await planOf(site.shop, "wordpress_pro");
  const session = await site.shop.stripe.billingPortal.sessions.create({ customer: await customerOf(site) });
  await fetch(session.url, {
    method: "POST",
    body: new URLSearchParams({ action: "badCard", subscription: site.sub_id }),
    redirect: "manual",
  });
  const { at } = await site.quote(pro);
  const { body } = await site.change(pro, at);
  expect(body).toEqual({ state: "unpaid", url: expect.stringContaining("/stripe/invoice/") });
  await settled(site.shop);
  expect(await site.project()).toMatchObject({ recipe: "wordpress_starter", status: "active" });
  expect(await site.subscription()).toMatchObject({ past_due: false, plan: { amount: 5900 } });
  expect((await site.page()).unpaid).toEqual({ plan: pro, url: body.url });

  await site.shop.click(new URL(body.url as string).pathname, "pay");
  await eventually(async () => expect(await site.project()).toMatchObject({ recipe: "wordpress_pro" }));
  expect((await site.page()).unpaid).toBeUndefined();
  expect(await site.charges()).toHaveLength(2);
});

test("a change that the provider made before the server was killed is applied by its event, and not made twice", async () => {
  const site = await openStarter();
  const pro = await planOf(site.shop, "wordpress_pro");
  const { at } = await site.quote(pro);
  const { items, latest_invoice } = await site.shop.stripe.subscriptions.retrieve(site.sub_id);
  await site.shop.stripe.subscriptions.update(
    site.sub_id,
    {
      items: [{ id: items.data[0]?.id as string, price: pro }],
      proration_behavior: "always_invoice",
      proration_date: at,
      payment_behavior: "pending_if_incomplete",
      expand: ["latest_invoice"],
    },
    { idempotencyKey: `plan-${site.sub_id}-${latest_invoice}-${pro}-${at}` },
  );
  await eventually(async () => expect(await site.project()).toMatchObject({ recipe: "wordpress_pro" }));
  expect((await site.change(pro, at)).body).toEqual({ state: "changed" });
  expect(await site.charges()).toHaveLength(2);
});

test("what cannot be changed is refused with its reason, and nothing is charged", async () => {
  const site = await openStarter();
  const { shop, id, sub_id } = site;
  const [starter, pro, files] = await Promise.all([
    planOf(shop, "wordpress_starter"),
    planOf(shop, "wordpress_pro"),
    planOf(shop, "static_starter"),
  ]);
  const { at } = await site.quote(pro);
  const db = shop.server.db;
  const set = (change: object) => db.update(subscriptions).set(change).where(eq(subscriptions.id, sub_id));
  const setProject = (change: object) => db.update(projects).set(change).where(eq(projects.id, id));

  const stranger = await newBuyer(shop);
  for (const path of [id, `${id}/quote`, "not-an-id"])
    expect(
      (await call(shop, stranger.headers, path, path.endsWith("quote") ? { plan: pro } : { plan: pro, at })).body,
    ).toEqual({
      error: "error_project_not_found",
    });
  expect((await call(shop, stranger.headers, id)).status).toBe(404);
  expect(await site.refusal("price_unknown")).toBe("error_plan_not_found");
  expect(await site.refusal(files)).toBe("error_plan_not_found");
  expect(await site.refusal(starter)).toBe("error_plan_same");
  expect((await site.change(pro, at - 16 * 60)).body.error).toBe("error_plan_quote_outdated");
  expect((await site.change(pro, at + 3600)).body.error).toBe("error_plan_quote_outdated");

  await set({ pastDueSince: new Date() });
  expect((await site.change(pro, at)).body.error).toBe("error_renewal_owed");
  await set({ pastDueSince: null, cancelAtPeriodEnd: true });
  expect((await site.change(pro, at)).body.error).toBe("error_plan_change_ending");
  await set({ cancelAtPeriodEnd: false });
  await setProject({ status: "suspended" });
  expect((await site.change(pro, at)).body.error).toBe("error_plan_inactive");

  await setProject({ status: "active", diskUsed: 16e9 });
  await site.change(pro, (await site.quote(pro)).at);
  expect(await site.refusal(starter)).toBe("error_plan_too_small");
  const charged = await site.charges();
  expect((await site.change(starter, at)).body.error).toBe("error_plan_too_small");
  await setProject({ diskUsed: 1e9 });
  const [own] = await db.select().from(projects).where(eq(projects.id, id));
  if (!own) throw new Error("no project");
  const copyId = "00000000-0000-4000-8000-000000000001";
  await db.insert(projects).values({ ...own, id: copyId, name: `staging--${own.name}`, stagingOf: id });
  await db.insert(wordpressSites).values({ projectId: copyId, username: "lucia", lang: "es", core: "7.0" });
  expect(await site.refusal(starter)).toBe("error_plan_staging");
  expect(await site.charges()).toEqual(charged);
});

test("the page says what the site has used: disk, memory, PHP and visits", async () => {
  const site = await openStarter();
  const { db } = site.shop.server;
  await db.insert(wordpressSites).values({ projectId: site.id, username: "lucia", lang: "es", core: "7.0" });
  await db.update(projects).set({ diskUsed: 2e9 }).where(eq(projects.id, site.id));
  expect((await site.page()).use).toEqual({ disk: 2e9, php_seconds: 0, visits: 0 });
  await recordReport(db, site.id, { pages: "1", nextCron: 0, hasMail: false, memoryPeak: 64 * 2 ** 20 }, true);
  expect((await site.page()).use).toEqual({ disk: 2e9, memory: 64, php_seconds: 0, visits: 0 });
});

async function rowOf({ shop, sub_id }: Awaited<ReturnType<typeof openStarter>>) {
  const [row] = await shop.server.db.select().from(subscriptions).where(eq(subscriptions.id, sub_id));
  if (!row) throw new Error("no subscription");
  return row;
}

async function customerOf({ shop, sub_id }: Awaited<ReturnType<typeof openStarter>>) {
  return (await shop.stripe.subscriptions.retrieve(sub_id)).customer as string;
}
