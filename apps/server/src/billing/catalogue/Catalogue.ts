import { setTimeout as pause } from "node:timers/promises";
import {
  type Category,
  categoryOf,
  type Interval,
  intervals,
  type PlanOffer,
  type PlanOffers,
  type Recipe,
  recipes,
} from "@nido/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Stripe } from "stripe";
import { maxProviderMs, untilDeadline, withinTime } from "../providerClient.ts";
import { trialDaysKey, trialDaysOf } from "./trialDaysOf.ts";

const maxAgeMs = 60_000;
const maxAgeForUnknownPlanMs = 5000;
const maxWaitMs = 3000;

/** The plans for sale at the provider. They are cached for a minute, or longer while the provider cannot be read. */
export class Catalogue {
  private readonly stripe: Stripe;
  private readonly log: FastifyBaseLogger;
  private offers: PlanOffer[] | undefined;
  private readAt = 0;
  private reading: Promise<PlanOffer[]> | undefined;

  constructor(stripe: Stripe, log: FastifyBaseLogger) {
    this.stripe = stripe;
    this.log = log;
  }

  async byInterval(category: Category): Promise<PlanOffers> {
    const offers = (await this.current()).filter(({ product }) => product.metadata.recipe_category === category);
    const of = (interval: Interval) => offers.filter(({ plan }) => plan.interval === interval);
    return { month: of("month"), year: of("year") };
  }

  /** Finds an offer. For an unknown id the plans are read again, because the plan may be new. */
  async find(planId: string): Promise<PlanOffer | undefined> {
    const hasId = ({ plan }: PlanOffer) => plan.id === planId;
    const cached = (await this.current()).find(hasId);
    if (cached || this.isYoungerThan(maxAgeForUnknownPlanMs)) return cached;
    return (await this.read()).find(hasId);
  }

  /** Those of these products that are for sale, with their recipes. */
  async findProducts(ids: string[]): Promise<{ id: string; recipe: Recipe }[]> {
    const known = new Map((await this.current()).map(({ product }) => [product.id, product.metadata.recipe]));
    return ids.flatMap((id) => {
      const recipe = known.get(id);
      return recipe ? [{ id, recipe }] : [];
    });
  }

  /** Bypasses the cache. Called after the provider refused a request for this plan. */
  async isForSale(planId: string): Promise<boolean> {
    // A read that runs already may have begun before that.
    if (this.reading) await untilDeadline(this.reading).catch(() => undefined);
    return (await this.read()).some(({ plan }) => plan.id === planId);
  }

  private async current(): Promise<PlanOffer[]> {
    const known = this.offers;
    if (known && this.isYoungerThan(maxAgeMs)) return known;
    const reading = this.read();
    if (!known) return reading;
    reading.catch((error) => this.log.warn({ err: error }, "could not refresh the catalogue from the provider"));
    // Wait briefly for fresh prices, because the provider refuses outdated ones.
    return Promise.race([reading.catch(() => known), pause(maxWaitMs, known, { ref: false })]);
  }

  private isYoungerThan(ageMs: number): boolean {
    return Date.now() - this.readAt < ageMs;
  }

  private read(): Promise<PlanOffer[]> {
    // With its own deadline, because several callers may wait for it.
    this.reading ??= withinTime(maxProviderMs, async () => {
      try {
        const offers: PlanOffer[] = [];
        const prices = this.stripe.prices.list({
          active: true,
          type: "recurring",
          expand: ["data.product"],
          limit: 100,
        });
        for await (const price of prices) {
          const offer = toOffer(price);
          if (offer) offers.push(offer);
          if (offer && hasWrongTrial(price, offer))
            this.log.warn({ product: offer.product.id }, `${trialDaysKey} of a product is not a number from 1 to 730`);
        }
        this.offers = offers.sort((one, other) => one.plan.amount - other.plan.amount);
        this.readAt = Date.now();
        return this.offers;
      } finally {
        this.reading = undefined;
      }
    });
    return untilDeadline(this.reading);
  }
}

function hasWrongTrial({ product }: Stripe.Price, { trial_days: days }: PlanOffer): boolean {
  return days === undefined && Boolean((product as Stripe.Product).metadata[trialDaysKey]);
}

/** Undefined if the price is not a hosting plan: the account may sell other things too. */
export function toOffer({
  id,
  unit_amount: amount,
  currency,
  recurring,
  product,
}: Stripe.Price): PlanOffer | undefined {
  if (typeof product === "string" || product.deleted || !product.active) return undefined;
  const recipe = recipes.find((name) => name === product.metadata["recipe"]) as Recipe | undefined;
  const interval = intervals.find((name) => name === recurring?.interval);
  if (!recipe || !interval || recurring?.interval_count !== 1 || amount === null) return undefined;
  const trialDays = trialDaysOf(product);
  return {
    ...(trialDays !== undefined && { trial_days: trialDays }),
    plan: { id, amount, currency, interval },
    product: {
      id: product.id,
      name: product.name,
      features: product.marketing_features.flatMap(({ name }) => (name ? [{ name }] : [])),
      metadata: { recipe, recipe_category: categoryOf(recipe) },
    },
  };
}
