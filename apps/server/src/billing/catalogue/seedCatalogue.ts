import { categoryOf, type Recipe } from "@nido/contract";
import type { Stripe } from "stripe";
import { unlessMissing } from "../Billing.ts";

const common = ["SSL certificate", "Unlimited visitors", "1 website"];

/** The initial catalogue, which operators can change at the provider. Prices are in euro cents, without VAT. */
const catalogue: { recipe: Recipe; name: string; month: number; year: number; features: string[] }[] = [
  { recipe: "static_starter", name: "Static starter", month: 300, year: 2900, features: ["1 GB SSD", ...common] },
  {
    recipe: "wordpress_starter",
    name: "WordPress starter",
    month: 600,
    year: 5900,
    features: ["15 GB SSD", "128 MB RAM", ...common],
  },
  {
    recipe: "wordpress_pro",
    name: "WordPress pro",
    month: 1200,
    year: 11900,
    features: ["25 GB SSD", "256 MB RAM", ...common],
  },
  {
    recipe: "wordpress_business",
    name: "WordPress business",
    month: 2400,
    year: 23900,
    features: ["Priority support", "40 GB SSD", "512 MB RAM", ...common],
  },
];

/** Creates the products and prices that an account lacks, and returns their ids. It never changes existing ones. */
export async function seedCatalogue(stripe: Stripe): Promise<string[]> {
  const created: string[] = [];
  for (const { recipe, name, features, ...prices } of catalogue) {
    const id = `nido_${recipe}`;
    if (!(await unlessMissing(stripe.products.retrieve(id)))) {
      created.push(id);
      await stripe.products.create(
        {
          id,
          name,
          marketing_features: features.map((feature) => ({ name: feature })),
          metadata: { recipe, recipe_category: categoryOf(recipe) },
        },
        { idempotencyKey: `seed-${id}` },
      );
    }
    for (const interval of ["month", "year"] as const) {
      const lookup_key = `${id}_${interval}`;
      const existing = await stripe.prices.list({ lookup_keys: [lookup_key], limit: 1 });
      if (existing.data.length > 0) continue;
      created.push(lookup_key);
      await stripe.prices.create(
        {
          product: id,
          currency: "eur",
          unit_amount: prices[interval],
          recurring: { interval },
          tax_behavior: "exclusive",
          lookup_key,
        },
        { idempotencyKey: `seed-${lookup_key}` },
      );
    }
  }
  return created;
}
