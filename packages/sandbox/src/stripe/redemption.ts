import type { Objects } from "./objects.ts";
import { now, type Store } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

interface Redemption {
  coupon: string | null;
  code: Objects["promotion_code"] | null;
  customer: string | undefined;
  price: Objects["price"];
  subtotal: number;
}

const fiveYears = 5 * 365 * 24 * 60 * 60;

/** Refuses a discount that cannot be redeemed: checked when a session is created, and again when it is paid. */
export function requireRedeemable(store: Store, { coupon: id, code, customer, price, subtotal }: Redemption) {
  if (!id) return;
  const coupon = store.get("coupon", id, "discounts[0][coupon]");
  if (code && (!code.active || !isRedeemable(store, code) || (code.customer !== null && code.customer !== customer)))
    throw new StripeFault(400, "This promotion code is inactive, expired, used up, or another customer's.", {
      code: "promotion_code_invalid",
      param: "discounts",
    });
  if (!isValid(coupon))
    throw new StripeFault(400, `Coupon ${coupon.id} is used up or expired.`, {
      code: "coupon_expired",
      param: "discounts",
    });
  if (code?.restrictions.first_time_transaction && hasPaid(store, customer))
    throw new StripeFault(
      400,
      "This promotion code cannot be redeemed because the associated customer has prior transactions.",
      { param: "discounts" },
    );
  const { minimum_amount: least, minimum_amount_currency: currency } = code?.restrictions ?? {};
  if (least && (currency !== price.currency || subtotal < least))
    throw new StripeFault(400, "This promotion code requires a higher amount.", { param: "discounts" });
  if (!appliesTo(store, coupon.id, String(price.product)))
    throw new StripeFault(400, `Coupon ${coupon.id} does not apply to any of the items.`, { param: "discounts" });
  if (coupon.currency !== null && coupon.currency !== price.currency)
    throw new StripeFault(400, `Coupon ${coupon.id} is in ${coupon.currency}, not in ${price.currency}.`, {
      param: "discounts",
    });
}

/** Whether a code has not expired and is not used up. It may have been deactivated. */
export function isRedeemable(store: Store, code: Objects["promotion_code"]): boolean {
  const isOver = code.expires_at !== null && code.expires_at <= now();
  const isUsedUp = code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions;
  return !isOver && !isUsedUp && isValid(store.get("coupon", String(code.promotion.coupon)));
}

function isValid({ max_redemptions: most, times_redeemed: times, redeem_by: end }: Objects["coupon"]): boolean {
  return (most === null || times < most) && (end === null || end > now());
}

/** The hidden object that names a coupon's products. Stripe shows them only if they are expanded. */
export function productsId(coupon: string): string {
  return `_products_${coupon}`;
}

export function appliesTo(store: Store, coupon: string, product: string): boolean {
  return store.find("_products", productsId(coupon))?.products.includes(product) ?? true;
}

export function requireNear(at: number | undefined, param: string) {
  if (at === undefined || (at > now() && at <= now() + fiveYears)) return;
  throw new StripeFault(400, `\`${param}\` must be in the future, and no more than five years ahead.`, { param });
}

function hasPaid(store: Store, customer: string | undefined): boolean {
  return store.all("invoice").some((invoice) => invoice.customer === customer && invoice.status === "paid");
}
