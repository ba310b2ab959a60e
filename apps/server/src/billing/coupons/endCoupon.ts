import type { Stripe } from "stripe";

/** Ends an operators' code: nobody can use it any more. Discounts that customers have already go on. */
export async function endCoupon(stripe: Stripe, code: string) {
  const active = await stripe.promotionCodes.list({ code, active: true, limit: 100 });
  if (active.data.length === 0) throw new Error(`There is no active code ${code}.`);
  for (const { id } of active.data) await stripe.promotionCodes.update(id, { active: false });
}
