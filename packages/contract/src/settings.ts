import type { Language } from "./languages.ts";

/** What anyone may know of this installation: `GET /api/settings`. */
export interface PublicSettings {
  brand: string;
  support_email: string;
  terms_url: string;
  privacy_url: string;
  blog_url: string;
  /** where a referral link leads, by language; the refcode is added as `promo` */
  referral_urls: Record<Language, string>;
  sites_domain: string;
  /** whether "Continue with Google" is offered */
  google: boolean;
}
