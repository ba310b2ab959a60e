import type { PlanOffer } from "./billing.ts";
import { type Recipe, recipes, resourcesOf } from "./recipes.ts";
import { hasStaging } from "./staging.ts";

/** `GET /billing/plan/{projectId}`: the plan of a project, what it uses, and the plans that it can change to. */
export interface PlanPage {
  /** the price that the subscription has at the provider; it may no longer be for sale */
  current: string;
  /** of the same category and currency, cheapest first */
  offers: PlanOffer[];
  use: PlanUse;
  /** the plan before the last change, while nothing has been charged for that change */
  undo?: string;
  /** a change that has not been paid yet, and the provider's page on which it is */
  unpaid?: { plan: string; url: string };
  /** the next regular invoice; absent if the subscription ends with its period */
  next?: NextInvoice;
  /** how a downgrade would fail: a staging copy needs a plan that has one */
  has_staging: boolean;
}

/** What a project has used in the last 30 days. */
export interface PlanUse {
  /** bytes */
  disk: number;
  /** megabytes of the request that needed the most; absent while no request was measured */
  memory?: number;
  php_seconds: number;
  visits: number;
}

/** Amounts are in the smallest unit of the currency, with VAT where nothing else is said. */
export interface NextInvoice {
  /** ISO 8601 */
  at: string;
  total: number;
  vat: number;
  /** what is charged, after the credit balance was used */
  due: number;
}

/** `GET /billing/upcoming`: the next regular invoice of each subscription that will be renewed, by its id */
export type UpcomingInvoices = Record<string, NextInvoice>;

/** `POST /billing/plan/{projectId}/quote` */
export interface PlanQuote {
  plan: string;
  /** when it was made, in seconds: the change is billed as at this moment */
  at: number;
  currency: string;
  /** for the unused time of the present plan, without VAT */
  credited: number;
  /** for the new plan, without VAT */
  charged: number;
  /** on the difference; negative where VAT is given back */
  vat: number;
  /** the difference with VAT; negative where money is given back */
  total: number;
  /** what the card is charged now, after the credit balance was used */
  due: number;
  /** the credit balance after the change */
  balance: number;
  next: NextInvoice;
}

/** `POST /billing/plan/{projectId}` with `{plan, at}` of a quote */
export interface PlanChangeResult {
  state: "changed" | "unpaid";
  /** the provider's page on which the change is paid or confirmed; until then the old plan counts */
  url?: string;
}

/** How much of a plan may be used before a larger one is better. */
const comfortable = 0.8;

/** The smallest WordPress plan that is enough for a site; undefined if none is, or nothing was measured. */
export function fittingRecipe({ disk, memory }: PlanUse, needsStaging = false): Recipe | undefined {
  if (memory === undefined) return undefined;
  return recipes
    .filter((recipe) => recipe.startsWith("wordpress") && (!needsStaging || hasStaging(recipe)))
    .find((recipe) => {
      const limits = resourcesOf(recipe);
      return disk <= limits.disk * comfortable && memory <= limits.memory * comfortable;
    });
}
