import type { PlanOffers } from "@nido/contract";
import { readOutbox } from "@nido/test-kit/outbox";
import { buy, type Headers, newBuyer, openShop, order, type Shop } from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, test, vi } from "vitest";

/** A shop that sells the static plan in euro, and in yen. */
async function open() {
  const shop = await openShop();
  const recurring = { interval: "year" } as const;
  const yen = await shop.stripe.prices.create({
    product: "nido_static_starter",
    currency: "jpy",
    unit_amount: 4900,
    recurring,
  });
  return { shop, yen: yen.id };
}

async function currenciesFor({ server }: Shop, headers: Partial<Headers> = {}, category = "static") {
  const url = `/billing/products?recipe_category=${category}`;
  const response = await server.app.inject({ url, headers: { host: "localhost:3000", ...headers } });
  const { month, year } = response.json<PlanOffers>();
  return [...new Set([...month, ...year].map(({ plan }) => plan.currency))].toSorted();
}

test("a customer who pays in a currency is offered, and can buy, only plans in it", async () => {
  const { shop, yen } = await open();
  const [inEuro, inYen] = [await newBuyer(shop), await newBuyer(shop)];
  expect(await currenciesFor(shop)).toEqual(["eur", "jpy"]);
  expect(await currenciesFor(shop, inEuro.headers), "has bought nothing").toEqual(["eur", "jpy"]);
  await buy(shop, inEuro.headers);
  await buy(shop, inYen.headers, { plan: yen });
  expect(await currenciesFor(shop, inEuro.headers)).toEqual(["eur"]);
  expect(await currenciesFor(shop, inYen.headers)).toEqual(["jpy"]);
  expect(await currenciesFor(shop, inYen.headers, "wordpress"), "there is none in yen").toEqual(["eur"]);

  for (const refused of [await order(shop, inEuro.headers, { plan: yen }), await order(shop, inYen.headers)])
    expect([refused.statusCode, refused.json()]).toEqual([409, { error: "error_plan_currency" }]);
  const { data } = await shop.stripe.checkout.sessions.list();
  expect(data).toHaveLength(2);
});

test("amounts without cents are told in whole units, and what is kept is what the provider counts", async () => {
  const { shop, yen } = await open();
  const { headers } = await newBuyer(shop);
  await buy(shop, headers, { plan: yen });
  await eventually(async () => {
    const receipt = (await readOutbox(shop.server)).find(({ template }) => template === "receipt");
    expect(receipt?.params).toMatchObject({ amount: 4900, currency: "jpy" });
  });
});

test("a second currency that only the provider knows of is explained, too", async () => {
  const { shop, yen } = await open();
  const { headers } = await newBuyer(shop);
  await buy(shop, headers);
  // As with a credit in euro after the last subscription has ended.
  await shop.server.db.execute("update subscriptions set ended_at = now()");
  const warned = vi.spyOn(shop.server.billing.log, "error");
  const refused = await order(shop, headers, { plan: yen });
  expect([refused.statusCode, refused.json()]).toEqual([409, { error: "error_plan_currency" }]);
  expect(warned).not.toHaveBeenCalled();
});
