import type { Stripe } from "stripe";
import { showAmount } from "../refunds/parseAmount.ts";

export const couponColumns = ["code", "discount", "for", "plans", "until", "used", "first purchase", "state"];

/** All codes of the account that buyers can enter, as rows of text: active ones first, then by code. */
export async function listCoupons(stripe: Stripe): Promise<string[][]> {
  const plans = new Map<string, string>();
  for await (const { id, metadata } of stripe.products.list({ limit: 100 })) plans.set(id, metadata["recipe"] ?? id);
  const rows: string[][] = [];
  const expand = ["data.promotion.coupon.applies_to"];
  for await (const { promotion, code, ...rest } of stripe.promotionCodes.list({ limit: 100, expand })) {
    const { coupon } = promotion;
    if (!coupon || typeof coupon === "string") continue; // The coupon was deleted, and the code with it.
    const products = coupon.applies_to?.products.map((id) => plans.get(id) ?? id) ?? ["all"];
    rows.push([
      code,
      coupon.percent_off === null
        ? showAmount(coupon.amount_off ?? 0, coupon.currency ?? "eur")
        : `${coupon.percent_off} %`,
      coupon.duration === "repeating" ? `${coupon.duration_in_months} months` : coupon.duration,
      [...new Set(products)].sort().join(","),
      rest.expires_at === null ? "" : new Date(rest.expires_at * 1000).toISOString().slice(0, 10),
      rest.max_redemptions === null ? `${rest.times_redeemed}` : `${rest.times_redeemed} of ${rest.max_redemptions}`,
      rest.restrictions.first_time_transaction ? "yes" : "no",
      rest.active ? "active" : "ended",
    ]);
  }
  return rows.sort(byState);
}

function byState(one: string[], other: string[]): number {
  const key = (row: string[]) => `${row.at(-1)} ${row[0]}`;
  return key(one) < key(other) ? -1 : 1;
}
