import type { CheckoutSession, PlanOffers, PlanPage, PlanQuote } from "@nido/contract";
import { dropAnswers } from "@nido/test-kit/dropAnswers";
import { buy, newBuyer, newName, openShop, order, pay, planOf, type Shop, settled, stateOf } from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { and, eq, isNotNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { checkouts, subscriptions, users } from "../../db/schema.ts";
import { createCoupon } from "../coupons/createCoupon.ts";
import { parseTerms } from "../coupons/parseTerms.ts";
import { setTrial } from "../coupons/setTrial.ts";

const days = 14;
const daySeconds = 24 * 60 * 60;

/** A shop whose static plan has a trial. */
async function openTrialShop(options: Parameters<typeof openShop>[0] = {}) {
  const shop = await openShop(options);
  await setTrial(shop.stripe, "static_starter", days);
  return shop;
}

async function trialDaysShown({ server }: Shop, headers: Record<string, string>) {
  const response = await server.app.inject({ url: "/billing/products?recipe_category=static", headers });
  return response.json<PlanOffers>().year.map(({ trial_days: shown }) => shown);
}

async function invoicesOf({ stripe }: Shop, subscription: string) {
  const { data } = await stripe.invoices.list({ subscription });
  return data.map(({ total, status }) => [total, status]).reverse();
}

const host = { host: "localhost:3000" };

test("a change of the plan in a trial charges nothing, and can be undone", async () => {
  const shop = await openTrialShop();
  const { headers } = await newBuyer(shop);
  const { id, sub_id: subId } = await buy(shop, headers);
  const [yearly, monthly] = [await planOf(shop, "static_starter"), await planOf(shop, "static_starter", "month")];
  const url = `/billing/plan/${id}`;
  const page = async () => (await shop.server.app.inject({ url, headers })).json<PlanPage>();
  const change = async (plan: string) => {
    const quoted = await shop.server.app.inject({ method: "POST", url: `${url}/quote`, headers, payload: { plan } });
    const { at } = quoted.json<PlanQuote>();
    return (await shop.server.app.inject({ method: "POST", url, headers, payload: { plan, at } })).json();
  };
  expect(await change(monthly)).toEqual({ state: "changed" });
  expect(await page()).toMatchObject({ current: monthly, undo: yearly });
  expect(await change(yearly)).toEqual({ state: "changed" });
  expect(await page()).toMatchObject({ current: yearly });
  expect((await invoicesOf(shop, subId)).map(([total]) => total)).toEqual([0, 0, 0]);
});

test("a trial costs nothing, makes the site at once, says when the first payment is due, and ends with a payment", async () => {
  const shop = await openTrialShop();
  const { headers } = await newBuyer(shop);
  expect([await trialDaysShown(shop, host), await trialDaysShown(shop, headers)]).toEqual([[days], [days]]);
  const { id, sub_id: subId } = await buy(shop, headers);
  const { data: sessions } = await shop.stripe.checkout.sessions.list({ subscription: subId });
  expect(sessions[0]).toMatchObject({
    amount_total: 0,
    payment_status: "no_payment_required",
    payment_method_collection: "always",
  });
  const subscription = await shop.stripe.subscriptions.retrieve(subId);
  expect(subscription).toMatchObject({
    status: "trialing",
    trial_end: subscription.created + days * daySeconds,
    trial_settings: { end_behavior: { missing_payment_method: "create_invoice" } },
  });
  const shown = async () => (await stateOf(shop.server, headers)).subscriptions[subId];
  expect(await shown()).toMatchObject({
    trial_ends: subscription.trial_end,
    current_period_end: subscription.trial_end,
    past_due: false,
  });
  expect(await invoicesOf(shop, subId)).toEqual([[0, "paid"]]);

  await shop.click(`/stripe/subscription/${subId}`, "endPeriod");
  await eventually(async () => expect(await shown()).not.toHaveProperty("trial_ends"));
  expect(await invoicesOf(shop, subId)).toEqual([
    [0, "paid"],
    [2900, "paid"],
  ]);
  expect(await shop.stripe.subscriptions.retrieve(subId)).toMatchObject({ status: "active" });
  expect((await stateOf(shop.server, headers)).projects[id]).toMatchObject({ status: "active" });
});

test("a customer has one trial", async () => {
  const shop = await openTrialShop();
  const { headers } = await newBuyer(shop);
  await buy(shop, headers);
  expect([await trialDaysShown(shop, headers), await trialDaysShown(shop, host)]).toEqual([[undefined], [days]]);
  const { sub_id: second } = await buy(shop, headers);
  expect(await invoicesOf(shop, second)).toEqual([[2900, "paid"]]);
});

test("two purchases in two windows do not get two trials: the newer one gets it, and the older page is closed", async () => {
  const shop = await openTrialShop();
  const { headers } = await newBuyer(shop);
  const request = { project_name: newName() };
  const first = (await order(shop, headers, request)).json<CheckoutSession>();
  expect((await order(shop, headers, request)).json<CheckoutSession>().id, "the same purchase").toBe(first.id);
  const second = (await order(shop, headers)).json<CheckoutSession>();
  expect(await shop.stripe.checkout.sessions.retrieve(first.id)).toMatchObject({ status: "expired" });
  expect(await shop.stripe.checkout.sessions.retrieve(second.id)).toMatchObject({ status: "open", amount_total: 0 });
});

test("of eight concurrent purchases one holds the trial; the others are refused or replaced", async () => {
  const shop = await openTrialShop({ works: false });
  const { headers } = await newBuyer(shop);
  const plan = await planOf(shop, "static_starter");
  const responses = await Promise.all(Array.from({ length: 8 }, () => order(shop, headers, { plan })));
  for (const response of responses.filter(({ statusCode }) => statusCode !== 200))
    expect(response.json()).toEqual({ error: "error_trial_busy" });
  const { data } = await shop.stripe.checkout.sessions.list({ limit: 100, status: "open" });
  expect(data.map(({ amount_total: due }) => due)).toEqual([0]);
  const isHeld = and(isNotNull(checkouts.trialDays), eq(checkouts.state, "open"));
  expect(await shop.server.db.select().from(checkouts).where(isHeld)).toHaveLength(1);
});

test("a trial that was just paid in another window is not given again", async () => {
  const shop = await openTrialShop({ works: false, delivers: false });
  const { headers } = await newBuyer(shop);
  await pay(shop, (await order(shop, headers)).json<CheckoutSession>().id);
  // Its webhook has not arrived: the database does not know yet.
  const response = await order(shop, headers);
  expect([response.statusCode, response.json()]).toEqual([409, { error: "error_trial_busy" }]);
  await shop.work();
  const { id } = (await order(shop, headers)).json<CheckoutSession>();
  expect(await shop.stripe.checkout.sessions.retrieve(id)).toMatchObject({ amount_total: 2900 });
});

test("a first payment that fails takes the usual way of overdue payments", async () => {
  const shop = await openTrialShop();
  const { headers } = await newBuyer(shop);
  const { sub_id: subId } = await buy(shop, headers);
  await shop.click(`/stripe/subscription/${subId}`, "failPeriod");
  const shown = async () => (await stateOf(shop.server, headers)).subscriptions[subId];
  await eventually(async () => expect(await shown()).toMatchObject({ past_due: true }));
  const [row] = await shop.server.db.select().from(subscriptions).where(eq(subscriptions.id, subId));
  expect(row).toMatchObject({ owedAmount: 2900, payUrl: expect.stringContaining("http") });
  await shop.click(`/stripe/subscription/${subId}`, "pay");
  await eventually(async () => expect(await shown()).toMatchObject({ past_due: false }));
});

test("a trial that is cancelled ends without a payment, and is not given again", async () => {
  const shop = await openTrialShop();
  const { headers } = await newBuyer(shop);
  const { id, sub_id: subId } = await buy(shop, headers);
  const payload = { type: "SET_RENEWAL", payload: { project_id: id, renews: false } };
  await shop.server.app.inject({ method: "POST", url: "/redux", headers, payload });
  await settled(shop);
  await shop.click(`/stripe/subscription/${subId}`, "endPeriod");
  await eventually(async () => expect((await stateOf(shop.server, headers)).projects).toEqual({}));
  expect(await invoicesOf(shop, subId)).toEqual([[0, "paid"]]);
  expect(await trialDaysShown(shop, headers)).toEqual([undefined]);
});

test("a purchase with a code has its discount instead of the trial, which remains for later", async () => {
  const shop = await openTrialShop();
  const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
  const { db } = shop.server;
  await createCoupon({ db, stripe: shop.stripe }, parseTerms(["HALF", "--percent", "50"]));
  const [row] = await db.select().from(users).where(eq(users.id, referrer.id));
  for (const [promo, due] of [
    ["half", 1450],
    [row?.refcode as string, 2320],
  ] as const) {
    const { sub_id: subId } = await buy(shop, buyer.headers, { promo });
    expect(await invoicesOf(shop, subId)).toEqual([[due, "paid"]]);
  }
  expect(await trialDaysShown(shop, buyer.headers)).toEqual([days]);
  const { sub_id: subId } = await buy(shop, buyer.headers);
  expect(await invoicesOf(shop, subId)).toEqual([[0, "paid"]]);
});

test("a trial and a code are given once if the first answer to each call is lost", async () => {
  const shop = await openTrialShop({ through: (access) => dropAnswers(access, 1) });
  const { headers } = await newBuyer(shop);
  await createCoupon({ db: shop.server.db, stripe: shop.stripe }, parseTerms(["HALF", "--percent", "50"]));
  const { sub_id: tried } = await buy(shop, headers);
  const { sub_id: halved } = await buy(shop, headers, { promo: "half" });
  expect([await invoicesOf(shop, tried), await invoicesOf(shop, halved)]).toEqual([[[0, "paid"]], [[1450, "paid"]]]);
  expect((await shop.stripe.checkout.sessions.list()).data).toHaveLength(2);
  const { data: codes } = await shop.stripe.promotionCodes.list({ code: "HALF" });
  expect(codes.map(({ times_redeemed: times }) => times)).toEqual([1]);
});

test("a checkout that is paid after it has expired here makes its project, and leaves the trial to the newer one", async () => {
  const shop = await openTrialShop();
  const { headers } = await newBuyer(shop);
  const first = (await order(shop, headers)).json<CheckoutSession>();
  await shop.server.db.update(checkouts).set({ state: "expired" });
  const second = (await order(shop, headers)).json<CheckoutSession>();
  await pay(shop, first.id);
  await pay(shop, second.id);
  await eventually(async () => expect(Object.keys((await stateOf(shop.server, headers)).projects)).toHaveLength(2));
  const rows = await shop.server.db.select().from(checkouts);
  expect(rows.find(({ sessionId }) => sessionId === first.id)).toMatchObject({ state: "paid", trialDays: null });
  expect(rows.find(({ sessionId }) => sessionId === second.id)).toMatchObject({ state: "paid", trialDays: days });
});

test("a trial that operators remove is not given any more", async () => {
  const shop = await openTrialShop({ works: false });
  await setTrial(shop.stripe, "static_starter", undefined);
  expect(await trialDaysShown(shop, host)).toEqual([undefined]);
  expect((await shop.stripe.products.retrieve("nido_static_starter")).metadata).toEqual({
    recipe: "static_starter",
    recipe_category: "static",
  });
});

test("a number of days that the provider would refuse is no trial", async () => {
  for (const wrong of ["0", "731", "14 days", "-1"]) {
    const shop = await openShop({ works: false });
    await shop.stripe.products.update("nido_static_starter", { metadata: { trial_days: wrong } });
    expect(await trialDaysShown(shop, host)).toEqual([undefined]);
  }
});
