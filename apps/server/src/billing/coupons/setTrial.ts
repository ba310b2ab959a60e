import type { Recipe } from "@nido/contract";
import type { Stripe } from "stripe";
import { trialDaysKey } from "../catalogue/trialDaysOf.ts";
import { findProducts } from "./findProducts.ts";

/** Sets the days of trial of a plan, on its products at the provider; undefined removes the trial. */
export async function setTrial(stripe: Stripe, plan: Recipe, days: number | undefined) {
  for (const id of await findProducts(stripe, [plan]))
    await stripe.products.update(id, { metadata: { [trialDaysKey]: days === undefined ? "" : String(days) } });
}
