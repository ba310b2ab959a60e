/**
 * Every error a screen, a call or the command line can show, with its HTTP status.
 * The keys are the translation keys.
 */
export const errorStatuses = {
  error_action_unknown: 400,
  error_address_too_long: 400,
  error_body_too_large: 413,
  error_checkout_limit: 429,
  error_company_too_long: 400,
  error_country_invalid: 400,
  error_domain_duplicate: 409,
  error_domain_invalid: 400,
  error_domain_limit: 409,
  error_domain_not_configured: 409,
  error_foreign_origin: 403,
  error_google_email_taken: 409,
  error_google_email_unverified: 403,
  error_google_failed: 502,
  error_google_unavailable: 404,
  error_invalid_credentials: 401,
  error_invalid_input: 400,
  error_language_invalid: 400,
  error_media_type: 415,
  error_name_invalid: 400,
  error_name_taken: 409,
  error_network: 503,
  error_not_found: 404,
  error_password_current_required: 400,
  error_password_current_wrong: 403,
  error_password_empty: 400,
  error_password_invalid: 400,
  error_password_too_long: 400,
  error_password_too_short: 400,
  error_payment_unavailable: 502,
  error_payout_nothing: 409,
  error_phone_invalid: 400,
  error_plan_not_found: 404,
  error_portal_none: 404,
  error_project_not_found: 404,
  error_promotion_already_used: 406,
  error_promotion_own: 406,
  error_promotion_unknown: 404,
  error_signed_out: 401,
  error_too_many_requests: 429,
  error_unknown: 500,
  error_username_invalid: 400,
  error_vat_invalid: 400,
  error_wordpress_failed: 503,
  error_wordpress_missing: 503,
} as const;

export type ErrorKey = keyof typeof errorStatuses;

export function isErrorKey(value: unknown): value is ErrorKey {
  return typeof value === "string" && Object.hasOwn(errorStatuses, value);
}
