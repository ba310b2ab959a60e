import type { PlanOffer, PlanOffers } from "@nido/contract";
import { useCallback } from "react";
import { useCall } from "../api/useCall.ts";
import { useCart } from "../state/store.ts";
import type { CheckoutDraft } from "./CheckoutDraft.ts";
import { loadPlans } from "./loadPlans.ts";

/** The plan that the draft names: from the cart, or from the server after a reload. */
export function useOffer({ category, plan }: CheckoutDraft): PlanOffer | undefined {
  const { product } = useCart();
  const isNeeded = plan !== undefined && product?.plan.id !== plan;
  const load = useCallback(
    async (signal: AbortSignal): Promise<PlanOffers> =>
      isNeeded ? loadPlans(category, signal) : { month: [], year: [] },
    [category, isNeeded],
  );
  const plans = useCall(load);
  if (plan === undefined) return undefined;
  if (!isNeeded) return product ?? undefined;
  if (plans.status !== "done") return undefined;
  return [...plans.answer.month, ...plans.answer.year].find((offer) => offer.plan.id === plan);
}
