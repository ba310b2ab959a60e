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

const maxAgeMs = 60_000;
const maxAgeForUnknownPlanMs = 5000;

/** The plans for sale at the provider. They are cached for a minute, or longer while the provider does not answer. */
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

  private async current(): Promise<PlanOffer[]> {
    if (this.offers && this.isYoungerThan(maxAgeMs)) return this.offers;
    const reading = this.read();
    if (!this.offers) return reading;
    // Stale-while-revalidate: the old list is returned while it is read again, and also if that fails.
    reading.catch((error) => this.log.warn({ err: error }, "could not refresh the catalogue from the provider"));
    return this.offers;
  }

  private isYoungerThan(ageMs: number): boolean {
    return Date.now() - this.readAt < ageMs;
  }

  private read(): Promise<PlanOffer[]> {
    this.reading ??= (async () => {
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
        }
        this.offers = offers.sort((one, other) => one.plan.amount - other.plan.amount);
        this.readAt = Date.now();
        return this.offers;
      } finally {
        this.reading = undefined;
      }
    })();
    return this.reading;
  }
}

/** Undefined if the price is not a hosting plan: the account may sell other things too. */
function toOffer({ id, unit_amount: amount, currency, recurring, product }: Stripe.Price): PlanOffer | undefined {
  if (typeof product === "string" || product.deleted || !product.active) return undefined;
  const recipe = recipes.find((name) => name === product.metadata["recipe"]) as Recipe | undefined;
  const interval = intervals.find((name) => name === recurring?.interval);
  if (!recipe || !interval || recurring?.interval_count !== 1 || amount === null) return undefined;
  return {
    plan: { id, amount, currency, interval },
    product: {
      id: product.id,
      name: product.name,
      features: product.marketing_features.flatMap(({ name }) => (name ? [{ name }] : [])),
      metadata: { recipe, recipe_category: categoryOf(recipe) },
    },
  };
}
