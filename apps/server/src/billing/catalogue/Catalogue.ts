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

const fresh = 60_000;

/** What is for sale, as the provider has it. Kept for a minute, and for longer while the provider does not answer. */
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

  /** One offer; asked of the provider again where it is not known, for it may be new. */
  async find(planId: string): Promise<PlanOffer | undefined> {
    const isIt = ({ plan }: PlanOffer) => plan.id === planId;
    return (await this.current()).find(isIt) ?? (this.isFresh(5000) ? undefined : (await this.read()).find(isIt));
  }

  private async current(): Promise<PlanOffer[]> {
    if (this.offers && this.isFresh(fresh)) return this.offers;
    const reading = this.read();
    if (!this.offers) return reading;
    // What was for sale a minute ago is shown while it is read again, and while it cannot be.
    reading.catch((error) => this.log.warn({ err: error }, "the catalogue could not be read again"));
    return this.offers;
  }

  private isFresh(age: number): boolean {
    return Date.now() - this.readAt < age;
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

/** Undefined for what the account sells besides hosting. */
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
