import type { Discount } from "@nido/contract";
import type { Stripe } from "stripe";
import { findByRefcode, findUser } from "../../account/queries.ts";
import type { Billing } from "../Billing.ts";
import { idOf } from "../idOf.ts";

/** An operators' code: a promotion code at the provider. */
export interface Coupon {
  /** the provider's id, promo_… */
  id: string;
  discount: Discount;
  /** It was ended, has expired or is used up. */
  isEnded: boolean;
  firstPurchase: boolean;
  /** the provider's products that it counts for; undefined: all */
  products: string[] | undefined;
  /** the least price that it counts for */
  minimum: { amount: number; currency: string | null } | undefined;
}

/** Wider codes cannot exist at the provider. */
const codePattern = /^[a-z0-9-]+$/i;

/**
 * Finds an operators' code that this customer may know. A refcode is never one: it counts first, so that no operator can
 * take a customer's referral link away.
 */
export async function findCoupon(
  { db, stripe }: Pick<Billing, "db" | "stripe">,
  userId: string | undefined,
  code: string,
): Promise<Coupon | undefined> {
  if (!codePattern.test(code) || (await findByRefcode(db, code))) return undefined;
  const customer = userId && (await findUser(db, userId))?.providerId;
  // Active ones first: an ended code can exist beside an active one of the same name.
  for (const active of [true, false]) {
    const { data } = await stripe.promotionCodes.list({
      code,
      active,
      limit: 100,
      expand: ["data.promotion.coupon.applies_to"],
    });
    const own = data.find((found) => found.customer === null || idOf(found.customer) === customer);
    if (own) return toCoupon(own);
  }
  return undefined;
}

/** Undefined if the coupon behind the code was deleted, or is not expanded. */
function toCoupon({ id, active, promotion, restrictions }: Stripe.PromotionCode): Coupon | undefined {
  const { coupon } = promotion;
  const discount = coupon && typeof coupon === "object" ? toDiscount(coupon) : undefined;
  if (!discount) return undefined;
  const { minimum_amount: amount, minimum_amount_currency: currency } = restrictions;
  return {
    id,
    discount,
    isEnded: !active,
    firstPurchase: restrictions.first_time_transaction,
    products: (coupon as Stripe.Coupon).applies_to?.products,
    minimum: amount ? { amount, currency } : undefined,
  };
}

const durations = ["once", "forever", "repeating"] as const;

function toDiscount({ percent_off, amount_off, currency, ...coupon }: Stripe.Coupon): Discount | undefined {
  const duration = durations.find((name) => name === coupon.duration);
  if (!duration) return undefined;
  const months = coupon.duration_in_months;
  const time = { duration, ...(months !== null && { months }) };
  if (percent_off !== null) return { percent_off, ...time };
  return amount_off !== null && currency !== null ? { amount_off, currency, ...time } : undefined;
}
