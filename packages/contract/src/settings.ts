import type { Language } from "./languages.ts";

/** The public settings of this installation: `GET /api/settings`. */
export interface PublicSettings {
  brand: string;
  support_email: string;
  terms_url: string;
  privacy_url: string;
  blog_url: string;
  /** target of referral links by language; the refcode is appended as `promo` */
  referral_urls: Record<Language, string>;
  sites_domain: string;
  /** whether "Continue with Google" is offered */
  google: boolean;
  /** whether accounts can be created by e-mail and passwords reset: it needs a mail server */
  sign_up: boolean;
  /** how long a site stays online after a payment has failed */
  grace_days: number;
  /** where the payment provider adds VAT by itself: our country, if it is known; otherwise null */
  vat: { seller: string | null } | null;
  /** "What's new", newest first */
  news: NewsEntry[];
}

export interface NewsEntry {
  /** ISO 8601, without the time */
  date: string;
  title: Record<Language, string>;
  text: Record<Language, string>;
}
