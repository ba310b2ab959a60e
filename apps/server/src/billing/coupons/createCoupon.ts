import { createHash } from "node:crypto";
import { Stripe } from "stripe";
import { findByRefcode } from "../../account/queries.ts";
import type { Billing } from "../Billing.ts";
import { idOf } from "../idOf.ts";
import { findProducts } from "./findProducts.ts";
import type { CouponTerms } from "./parseTerms.ts";

/**
 * Creates an operators' code at the provider: a coupon with the discount, and a promotion code with the limits. The
 * coupon's id contains a hash of the terms, so that a repeated or interrupted command creates nothing twice. False if
 * the same code exists already.
 */
export async function createCoupon({ db, stripe }: Pick<Billing, "db" | "stripe">, terms: CouponTerms) {
  const { code, off, time, until, count, firstPurchase } = terms;
  if (await findByRefcode(db, code.toLowerCase()))
    throw new Error(`${code} is the refcode of a customer. Choose another code.`);
  const products = await findProducts(stripe, terms.plans);
  const id = `nido-${code}-${hashOf({ ...terms, products })}`;

  const { data: active } = await stripe.promotionCodes.list({ code, active: true, limit: 1 });
  if (active[0] && idOf(active[0].promotion.coupon) === id) return false;
  if (active[0]) throw new Error(`There is an active code ${code} with other terms. End it first.`);

  const applies_to = products.length > 0 ? { applies_to: { products } } : {};
  await unlessExisting(stripe.coupons.create({ id, name: code, ...off, ...time, ...applies_to }));
  await stripe.promotionCodes.create({
    promotion: { type: "coupon", coupon: id },
    code,
    ...(until !== undefined && { expires_at: until }),
    ...(count !== undefined && { max_redemptions: count }),
    ...(firstPurchase && { restrictions: { first_time_transaction: true } }),
  });
  return true;
}

function hashOf(terms: object): string {
  return createHash("sha256").update(JSON.stringify(terms)).digest("hex").slice(0, 12);
}

async function unlessExisting(creation: Promise<unknown>) {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_already_exists"))
      throw error;
  }
}
