import type { Category, PlanOffers } from "@nido/contract";
import { api } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

/** The plans of a category by interval, cheapest first. */
export async function loadPlans(category: Category, signal: AbortSignal): Promise<PlanOffers> {
  const { month, year } = await api<PlanOffers>(serverPaths.plans(category), { signal });
  const byAmount = (offers: PlanOffers["month"]) => offers.toSorted((a, b) => a.plan.amount - b.plan.amount);
  return { month: byAmount(month), year: byAmount(year) };
}
