import type { PlanOffer, PlanOffers } from "@nido/contract";
import type { Db } from "../../db/connect.ts";
import { findCurrency } from "../catalogue/findCurrency.ts";
import { onlyIn } from "../catalogue/onlyIn.ts";
import { hasHadTrial } from "./queries.ts";

/** The offers as a visitor can buy them: a customer pays in one currency, and has a trial once. */
export async function offersFor(db: Db, userId: string | undefined, offers: PlanOffers): Promise<PlanOffers> {
  if (!userId) return offers;
  const { month, year } = onlyIn(await findCurrency(db, userId), offers);
  const hasTrials = [...month, ...year].some(({ trial_days: days }) => days !== undefined);
  if (!hasTrials || !(await hasHadTrial(db, userId))) return { month, year };
  return { month: month.map(withoutTrial), year: year.map(withoutTrial) };
}

function withoutTrial({ plan, product }: PlanOffer): PlanOffer {
  return { plan, product };
}
