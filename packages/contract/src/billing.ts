import type { Category, Interval, Recipe } from "./recipes.ts";

/** One price of one product. Amounts are in cents, without VAT. */
export interface PlanOffer {
  plan: { id: string; amount: number; currency: string; interval: Interval };
  product: {
    id: string;
    name: string;
    /** in English; the dashboard translates the names that it knows */
    features: { name: string }[];
    metadata: { recipe: Recipe; recipe_category: Category };
  };
}

/** `GET /billing/products?recipe_category=…` */
export type PlanOffers = Record<Interval, PlanOffer[]>;

/** `POST /billing/session/{planId}` */
export interface CheckoutRequest {
  username: string;
  project_name: string;
  promo: string;
  locale: string;
  category: Category;
}

export interface CheckoutSession {
  id: string;
  /** the payment provider's hosted checkout page */
  url: string;
}

/** `GET /api/referral`. Sums are in cents. */
export interface Referral {
  info: { percent_off: number; duration: "once" | "forever" };
  /** earnings that were not requested yet; `payable` is the part that can be requested now */
  pending: { sum: number; payable: number; currency: string }[];
}

/** `GET /api/vault/{id}/sso` */
export interface SsoToken {
  token: string;
}
/** The path on a WordPress site that accepts the token by POST. */
export const ssoPath = "/nido-sso";
