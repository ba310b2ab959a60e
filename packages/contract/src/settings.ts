/** What anyone may know of this installation: `GET /api/settings`. */
export interface PublicSettings {
  brand: string;
  support_email: string;
  terms_url: string;
  privacy_url: string;
  blog_url: string;
  sites_domain: string;
  /** whether "Continue with Google" is offered */
  google: boolean;
}
