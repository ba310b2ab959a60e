import type { Recipe } from "@nido/contract";
import type { Stripe } from "stripe";

/** The provider's products for sale of these plans. An account can have several for one plan. */
export async function findProducts(stripe: Stripe, plans: Recipe[]): Promise<string[]> {
  if (plans.length === 0) return [];
  const found = new Map<string, Recipe>();
  for await (const { id, metadata } of stripe.products.list({ active: true, limit: 100 })) {
    const plan = plans.find((name) => name === metadata["recipe"]);
    if (plan) found.set(id, plan);
  }
  const missing = plans.filter((plan) => ![...found.values()].includes(plan));
  if (missing.length > 0) throw new Error(`No product is for sale for the plan ${missing.join(", ")}.`);
  return [...found.keys()].sort();
}
