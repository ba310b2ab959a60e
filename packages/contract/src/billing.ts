import type { Category, Interval, Recipe } from "./recipes.ts";

/** One price of one product. Amounts are in the smallest unit of the currency, such as cents, without VAT. */
export interface PlanOffer {
  plan: { id: string; amount: number; currency: string; interval: Interval };
  product: {
    id: string;
    name: string;
    /** in English; the dashboard translates the names that it knows */
    features: { name: string }[];
    metadata: { recipe: Recipe; recipe_category: Category };
  };
  /** free days before the first payment, for a visitor who has had no trial */
  trial_days?: number;
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

/** `GET /billing/checkout/{name}` */
export type CheckoutStatus =
  /** the customer has bought nothing by this name */
  | { state: "none" }
  /** it was paid, could not be completed, and is refunded */
  | { state: "refunded" }
  /**
   * `processing`: the payment takes days. `unpaid`: such a payment failed. `resume`: the wizard's page, with the choices
   * of the checkout
   */
  | { state: "open" | "processing" | "paid" | "expired" | "unpaid"; resume: string };

/** `GET /billing/cards`: the card that each subscription is charged to, by its id */
export type SubscriptionCards = Record<string, { brand: string; last4: string }>;

/** `GET /api/promotion/{code}` */
export interface Promotion extends Discount {
  /** the given name of the customer who invites; empty if it is unknown, or if operators made the code */
  inviter: string;
  /** the products that an operators' code counts for; absent if it counts for all */
  products?: { id: string; recipe: Recipe }[];
}

/** A percentage, or an amount in cents of a currency. */
export interface Discount {
  percent_off?: number;
  amount_off?: number;
  currency?: string;
  /** of the first payment, of each, or of those in the first `months` */
  duration: "once" | "forever" | "repeating";
  months?: number;
}

export interface PromotionTerms {
  percent_off: number;
  /** of the first payment, or of each */
  duration: "once" | "forever";
}

/** `GET /api/referral`. Sums are in the smallest unit of the currency. */
export interface Referral {
  /** what the invited get */
  info: PromotionTerms;
  /** the inviter's share of each of their payments */
  earning_percent: number;
  /** earnings that were not requested yet; `payable` is the part that can be requested now */
  pending: { sum: number; payable: number; currency: string }[];
  /** the newest entries first */
  ledger: Earning[];
  payouts: Payout[];
  /** the end of the account number that payouts go to; absent until the customer enters one */
  iban?: string;
}

/** A share of one payment of an invited customer, or what a refund took back. */
export interface Earning {
  id: string;
  amount: number;
  currency: string;
  /** when the invited customer paid, ISO 8601 */
  at: string;
  state: "pending" | "requested" | "paid" | "reversed";
  /** from when on it can be requested, ISO 8601 */
  payable_at: string;
}

export interface Payout {
  id: string;
  amount: number;
  currency: string;
  /** ISO 8601 */
  requested_at: string;
  paid_at?: string;
  /** the end of the account number that it goes to */
  iban: string;
}

/** `GET /api/vault/{id}/sso` */
export interface SsoToken {
  token: string;
}
/** The path on a WordPress site that accepts the token by POST. */
export const ssoPath = "/nido-sso";
