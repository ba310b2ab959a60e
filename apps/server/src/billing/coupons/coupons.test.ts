import type { CheckoutSession, Promotion } from "@nido/contract";
import { answering } from "@nido/test-kit/answering";
import { buy, newBuyer, newName, openShop, order, pay, planOf, type Shop, settled } from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { checkouts, users } from "../../db/schema.ts";
import { connectStripe, type StripeAccess } from "../Billing.ts";
import { createCoupon } from "./createCoupon.ts";
import { endCoupon } from "./endCoupon.ts";
import { listCoupons } from "./listCoupons.ts";
import { parseTerms } from "./parseTerms.ts";

const host = { host: "localhost:3000" };

function create({ server: { db }, stripe }: Shop, text: string) {
  return createCoupon({ db, stripe }, parseTerms(text.split(" ")));
}

function look({ server }: Shop, code: string, headers: Record<string, string> = host) {
  return server.app.inject({ url: `/api/promotion/${code}`, headers });
}

describe("the command", () => {
  test("creates a code once, ends it, and creates it again", async () => {
    const shop = await openShop({ works: false });
    const terms =
      "SPRING-20 --percent 20 --for 6 --plans wordpress_pro --until 2027-01-31 --count 100 --first-purchase";
    expect(await create(shop, terms)).toBe(true);
    expect(await create(shop, terms)).toBe(false);
    await expect(create(shop, "spring-20 --percent 30")).rejects.toThrow("active code SPRING-20 with other terms");
    const row = ["SPRING-20", "20 %", "6 months", "wordpress_pro", "2027-01-31", "0 of 100", "yes"];
    expect(await listCoupons(shop.stripe)).toEqual([[...row, "active"]]);

    await endCoupon(shop.stripe, "SPRING-20");
    await expect(endCoupon(shop.stripe, "SPRING-20")).rejects.toThrow("There is no active code SPRING-20");
    expect(await create(shop, terms)).toBe(true);
    expect(await listCoupons(shop.stripe)).toEqual([
      [...row, "active"],
      [...row, "ended"],
    ]);
    expect((await shop.stripe.coupons.list()).data).toHaveLength(1);
  });

  test("that was interrupted after the coupon goes on where it stopped", async () => {
    const shop = await openShop({ works: false });
    const failing: StripeAccess = await answering(shop.sandbox.stripe, ({ method, url }) =>
      method === "POST" && url === "/v1/promotion_codes"
        ? { status: 400, body: { error: { type: "invalid_request_error", message: "Not now." } } }
        : undefined,
    );
    const terms = parseTerms(["FIVE", "--amount", "5", "--currency", "eur"]);
    const { db } = shop.server;
    await expect(createCoupon({ db, stripe: connectStripe(failing) }, terms)).rejects.toThrow("Not now.");
    expect(await listCoupons(shop.stripe)).toEqual([]);
    expect(await createCoupon({ db, stripe: shop.stripe }, terms)).toBe(true);
    expect(await listCoupons(shop.stripe)).toEqual([["FIVE", "5.00 EUR", "once", "all", "", "0", "no", "active"]]);
    expect((await shop.stripe.coupons.list()).data).toHaveLength(1);
  });

  test("refuses the refcode of a customer, and a plan that is not for sale", async () => {
    const shop = await openShop({ works: false });
    const { id } = await newBuyer(shop);
    const [user] = await shop.server.db.select().from(users).where(eq(users.id, id));
    await expect(create(shop, `${user?.refcode} --percent 5`)).rejects.toThrow("is the refcode of a customer");
    await shop.stripe.products.update("nido_wordpress_pro", { active: false });
    const plans = "--plans wordpress_pro,wordpress_starter";
    await expect(create(shop, `SPRING --percent 5 ${plans}`)).rejects.toThrow("for the plan wordpress_pro.");
    expect((await shop.stripe.coupons.list()).data).toEqual([]);
  });
});

describe("a code", () => {
  test("shows visitors what it offers, and for which plans", async () => {
    const shop = await openShop({ works: false });
    await create(shop, "SPRING --percent 20 --for 6 --plans wordpress_pro");
    await create(shop, "FIVE --amount 5 --currency eur");
    expect((await look(shop, "spring")).json<Promotion>()).toEqual({
      percent_off: 20,
      duration: "repeating",
      months: 6,
      inviter: "",
      products: [{ id: "nido_wordpress_pro", recipe: "wordpress_pro" }],
    });
    expect((await look(shop, "FIVE")).json<Promotion>()).toEqual({
      amount_off: 500,
      currency: "eur",
      duration: "once",
      inviter: "",
    });
    await endCoupon(shop.stripe, "FIVE");
    expect([(await look(shop, "five")).statusCode, (await look(shop, "five")).json()]).toEqual([
      410,
      { error: "error_promotion_ended" },
    ]);
    expect((await look(shop, "other")).json()).toEqual({ error: "error_promotion_unknown" });
    expect((await look(shop, "a%20b")).json()).toEqual({ error: "error_promotion_unknown" });
  });

  test("for some months discounts the payments of these months, and no later one", async () => {
    const shop = await openShop();
    const { headers } = await newBuyer(shop);
    await create(shop, "SPRING --percent 50 --for 3");
    const plan = await planOf(shop, "static_starter", "month");
    const { sub_id: subId } = await buy(shop, headers, { promo: "Spring", plan });
    for (let month = 0; month < 4; month++) await shop.click(`/stripe/subscription/${subId}`, "endPeriod");
    const { data } = await shop.stripe.invoices.list({ subscription: subId });
    expect(data.map(({ total }) => total).reverse()).toEqual([150, 150, 150, 300, 300]);
    expect((await shop.stripe.subscriptions.retrieve(subId)).discounts).toEqual([]);
    const [checkout] = await shop.server.db.select().from(checkouts);
    expect(checkout).toMatchObject({
      referrerId: null,
      promo: "spring",
      promotionCode: expect.stringMatching("promo_"),
    });
  });

  test("for one payment and an amount discounts the first payment; a customer can use it for each purchase", async () => {
    const shop = await openShop();
    const { headers } = await newBuyer(shop);
    await create(shop, "ONE --amount 1.50 --currency eur");
    const plan = await planOf(shop, "static_starter", "month");
    for (let purchase = 0; purchase < 2; purchase++) {
      const { sub_id: subId } = await buy(shop, headers, { promo: "one", plan });
      await shop.click(`/stripe/subscription/${subId}`, "endPeriod");
      const { data } = await shop.stripe.invoices.list({ subscription: subId });
      expect(data.map(({ total }) => total)).toEqual([300, 150]);
    }
  });

  test("that does not count for a plan is refused before the checkout, with the reason", async () => {
    const shop = await openShop({ works: false });
    const { headers } = await newBuyer(shop);
    await create(shop, "PRO --percent 20 --plans wordpress_pro");
    await create(shop, "DOLLAR --amount 1 --currency usd");
    await create(shop, "NEARLY --amount 2.60 --currency eur");
    await create(shop, "OVER --percent 20");
    await endCoupon(shop.stripe, "OVER");
    const plan = await planOf(shop, "static_starter", "month");
    const refusalOf = async (promo: string) => {
      const response = await order(shop, headers, { plan, promo });
      return [response.statusCode, response.json<{ error: string }>().error];
    };
    expect(await refusalOf("pro")).toEqual([406, "error_promotion_not_for_plan"]);
    expect(await refusalOf("dollar")).toEqual([406, "error_promotion_not_for_plan"]);
    // Less than the provider can charge would be left.
    expect(await refusalOf("nearly")).toEqual([406, "error_promotion_not_for_plan"]);
    expect(await refusalOf("over")).toEqual([410, "error_promotion_ended"]);
    expect(await refusalOf("other")).toEqual([404, "error_promotion_unknown"]);
    expect((await shop.stripe.checkout.sessions.list()).data).toEqual([]);
    expect((await shop.server.db.select().from(checkouts)).filter(({ state }) => state === "open")).toEqual([]);
    const wordpress = { category: "wordpress", username: "lucia", plan: await planOf(shop, "wordpress_pro") } as const;
    expect((await order(shop, headers, { ...wordpress, promo: "pro" })).statusCode).toBe(200);
  });

  test("made for another customer is unknown", async () => {
    const shop = await openShop({ works: false });
    const [ana, ben] = [await newBuyer(shop), await newBuyer(shop)];
    await order(shop, ana.headers);
    const [user] = await shop.server.db.select().from(users).where(eq(users.id, ana.id));
    const coupon = await shop.stripe.coupons.create({ percent_off: 10 });
    const promotion = { type: "coupon", coupon: coupon.id } as const;
    await shop.stripe.promotionCodes.create({ promotion, code: "SORRY", customer: user?.providerId as string });
    expect((await order(shop, ben.headers, { promo: "sorry" })).statusCode).toBe(404);
    expect((await order(shop, ana.headers, { promo: "sorry" })).statusCode).toBe(200);
  });

  test("of which one is left serves one of two buyers, and its open checkout goes on", async () => {
    const shop = await openShop();
    const [ana, ben] = [await newBuyer(shop), await newBuyer(shop)];
    await create(shop, "LAST --percent 50 --count 1");
    const [anas, bens] = [newName(), newName()];
    const first = (await order(shop, ana.headers, { promo: "last", project_name: anas })).json<CheckoutSession>();
    const second = (await order(shop, ben.headers, { promo: "last", project_name: bens })).json<CheckoutSession>();
    await pay(shop, first.id);
    // The provider enforces the number when it is paid.
    expect((await shop.click(`/stripe/pay/${second.id}`, "pay")).status).toBe(400);
    await settled(shop);
    const again = await order(shop, ben.headers, { promo: "last", project_name: bens });
    expect(again.json<CheckoutSession>().id, "the same session").toBe(second.id);
    const renamed = await order(shop, ben.headers, { promo: "last" });
    expect([renamed.statusCode, renamed.json()]).toEqual([410, { error: "error_promotion_ended" }]);
  });

  test("that ends between the reservation and the session is refused with the reason", async () => {
    let isInterrupted = true;
    const through = (access: StripeAccess) =>
      answering(access, ({ method, url }) =>
        isInterrupted && method === "POST" && url === "/v1/checkout/sessions"
          ? { status: 402, body: { error: { type: "card_error", message: "Not now." } } }
          : undefined,
      );
    const shop = await openShop({ works: false, through });
    const { headers } = await newBuyer(shop);
    await create(shop, "SPRING --percent 20");
    const request = { promo: "spring", project_name: newName() };
    expect((await order(shop, headers, request)).statusCode).toBe(502);
    isInterrupted = false;
    await endCoupon(shop.stripe, "SPRING");
    const response = await order(shop, headers, request);
    expect([response.statusCode, response.json()]).toEqual([410, { error: "error_promotion_ended" }]);
    expect((await shop.server.db.select().from(checkouts)).map(({ state }) => state)).toEqual(["expired"]);
  });
});

describe("a code for a first purchase", () => {
  test("is valid in one of 20 concurrent checkouts, and never after a purchase", async () => {
    const shop = await openShop();
    const { headers } = await newBuyer(shop);
    await create(shop, "HELLO --percent 50 --first-purchase");
    const responses = await Promise.all(Array.from({ length: 20 }, () => order(shop, headers, { promo: "hello" })));
    const opened = responses.filter(({ statusCode }) => statusCode === 200);
    expect(opened).toHaveLength(1);
    expect(responses.find(({ statusCode }) => statusCode !== 200)?.json()).toEqual({
      error: "error_promotion_already_used",
    });
    expect((await look(shop, "hello", headers)).statusCode).toBe(200);
    await pay(shop, opened[0]?.json<CheckoutSession>().id as string);
    await eventually(async () => expect((await look(shop, "hello", headers)).statusCode).toBe(406));
    const after = await order(shop, headers, { promo: "hello" });
    expect([after.statusCode, after.json()]).toEqual([406, { error: "error_promotion_first_only" }]);
  });

  test("moves to the next checkout once the buyer has come back from the payment page", async () => {
    const shop = await openShop();
    const { headers } = await newBuyer(shop);
    await create(shop, "HELLO --percent 50 --first-purchase");
    await order(shop, headers, { promo: "hello" });
    const [first] = await shop.server.db.select().from(checkouts);
    expect((await order(shop, headers, { promo: "hello" })).statusCode).toBe(406);
    await shop.server.app.inject({ url: `/billing/cancelled/${first?.id}`, headers });
    expect((await order(shop, headers, { promo: "hello" })).statusCode).toBe(200);
    expect(await shop.stripe.checkout.sessions.retrieve(first?.sessionId as string)).toMatchObject({
      status: "expired",
    });
  });
});

test("strangers who try codes reach the provider four at a time, and a buyer meanwhile pays", async () => {
  const shop = await openShop();
  const { headers } = await newBuyer(shop);
  const { promotionCodes } = shop.server.billing.stripe;
  const list = promotionCodes.list.bind(promotionCodes);
  let [running, most] = [0, 0];
  vi.spyOn(promotionCodes, "list").mockImplementation((async (...params: Parameters<typeof list>) => {
    most = Math.max(most, ++running);
    return list(...params).finally(() => running--);
  }) as unknown as typeof list);
  const lookups = Array.from({ length: 40 }, (_, index) => look(shop, `guess-${index}`));
  await buy(shop, headers);
  const answers = await Promise.all(lookups);
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
  expect(most).toBe(4);
});

test("a refcode counts before a code of the same name", async () => {
  const shop = await openShop();
  const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
  await create(shop, "MEETING --percent 90");
  await shop.server.db.update(users).set({ refcode: "meeting" }).where(eq(users.id, referrer.id));
  expect((await look(shop, "meeting")).json<Promotion>().inviter).toBe("Ana");
  const { sub_id: subId } = await buy(shop, buyer.headers, { promo: "meeting" });
  const { data } = await shop.stripe.invoices.list({ subscription: subId });
  expect(data.map(({ total }) => total)).toEqual([2320]);
  const [checkout] = await shop.server.db.select().from(checkouts);
  expect(checkout).toMatchObject({ referrerId: referrer.id, promotionCode: null });
});
