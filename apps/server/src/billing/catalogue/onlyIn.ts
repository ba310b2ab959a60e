import type { PlanOffers } from "@nido/contract";

/** The plans in the customer's currency; all of them if there is none in it. */
export function onlyIn(currency: string | undefined, { month, year }: PlanOffers): PlanOffers {
  const isOwn = ({ plan }: PlanOffers["month"][number]) => plan.currency === currency;
  const own = { month: month.filter(isOwn), year: year.filter(isOwn) };
  return own.month.length + own.year.length > 0 ? own : { month, year };
}
