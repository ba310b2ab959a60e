import type { PlanOffer } from "@nido/contract";
import { expect, test } from "vitest";
import { discounted, discountedPayments, discountFor } from "./discounted.ts";

const offer: PlanOffer = {
  plan: { id: "price_1", amount: 600, currency: "eur", interval: "month" },
  product: {
    id: "prod_1",
    name: "WordPress starter",
    features: [],
    metadata: { recipe: "wordpress_starter", recipe_category: "wordpress" },
  },
};

test("a discount is a percentage, rounded to the cent, or an amount, never more than the price", () => {
  expect(discounted(5900, undefined)).toBe(5900);
  expect(discounted(333, { percent_off: 50, duration: "once" })).toBe(166);
  expect(discounted(600, { amount_off: 150, currency: "eur", duration: "once" })).toBe(450);
  expect(discounted(600, { amount_off: 900, currency: "eur", duration: "once" })).toBe(0);
});

test("a code counts for its products and its currency only", () => {
  const promotion = { percent_off: 20, duration: "once", inviter: "" } as const;
  expect(discountFor(offer, undefined)).toBeUndefined();
  expect(discountFor(offer, promotion)).toBe(promotion);
  const products = [{ id: "prod_2", recipe: "wordpress_pro" as const }];
  expect(discountFor(offer, { ...promotion, products })).toBeUndefined();
  expect(discountFor(offer, { amount_off: 100, currency: "usd", duration: "once", inviter: "" })).toBeUndefined();
});

test("months of discount are payments of the plan's interval", () => {
  const months = (count: number) => ({ percent_off: 20, duration: "repeating", months: count }) as const;
  expect(discountedPayments(months(6), "month")).toBe(6);
  expect([discountedPayments(months(6), "year"), discountedPayments(months(13), "year")]).toEqual([1, 2]);
  expect(discountedPayments({ percent_off: 20, duration: "once" }, "month")).toBe(1);
  expect(discountedPayments({ percent_off: 20, duration: "forever" }, "year")).toBe(Number.POSITIVE_INFINITY);
});
