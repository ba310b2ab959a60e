import { discountOf } from "./discountOf.ts";
import type { Objects } from "./objects.ts";
import { mergeMetadata } from "./parameters.ts";
import { requireRedeemable } from "./redemption.ts";
import { newId, now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";
import { sessionDefaults } from "./sessionDefaults.ts";
import { requireCompatible, type SessionParameters } from "./sessionParameters.ts";
import { taxOf } from "./taxOf.ts";

/** In the currency's smallest unit, where it is not 50. */
const minimums: Partial<Record<string, number>> = { gbp: 30, jpy: 50, mxn: 1000, chf: 50, clp: 500 };

const minutes = 60;
const hours = 60 * minutes;

export function createSession(context: StripeContext, params: SessionParameters): Objects["checkout.session"] {
  const { store } = context;
  const { price, quantity } = findLine(context, params);
  const customer = params.customer ? store.get("customer", params.customer, "customer") : undefined;
  requireCompatible(params);
  const created = now();
  const expires_at = expiryOf(params, created);
  const { coupon, code } = findDiscount(context, params);
  const trialDays = params.subscription_data?.trial_period_days;
  // Nothing is due at the start of a trial.
  const subtotal = trialDays ? 0 : (price.unit_amount ?? 0) * quantity;
  const later = (price.unit_amount ?? 0) * quantity;
  requireRedeemable(store, { coupon, code, customer: params.customer, price, subtotal: later });
  const discount = coupon ? discountOf(store.get("coupon", coupon, "discounts[0][coupon]"), subtotal) : 0;
  requireOneCurrency(context, params.customer, price.currency);
  requireChargeable(subtotal - discount, price.currency);
  const tax = taxOf(params.automatic_tax?.enabled ?? false, customer, subtotal - discount);

  const id = newId("cs_test");
  store.put({
    id: orderId(id),
    object: "_order",
    price: price.id,
    quantity,
    coupon,
    promotionCode: code?.id ?? null,
    trial: trialDays ? { days: trialDays, settings: trialSettingsOf(params) } : null,
    metadata: mergeMetadata({}, params.subscription_data?.metadata),
  });
  return store.put({
    ...sessionDefaults,
    ...fieldsFrom(params),
    id,
    object: "checkout.session",
    amount_subtotal: subtotal,
    amount_total: subtotal - discount + tax,
    created,
    currency: price.currency,
    discounts: coupon ? [{ coupon: code ? null : coupon, promotion_code: code?.id ?? null }] : [],
    expires_at,
    total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: tax },
    url: `${context.origin}/stripe/pay/${id}`,
  });
}

export function orderId(sessionId: string): string {
  return `_order_${sessionId}`;
}

function findLine({ store }: StripeContext, params: SessionParameters) {
  const [line] = params.line_items;
  if (!line) throw new StripeFault(400, "Missing required param: line_items.", { code: "parameter_missing" });
  const price = store.get("price", line.price, "line_items[0][price]");
  if (!price.active || !price.recurring)
    throw new StripeFault(400, "The price specified is inactive or not recurring.", { param: "line_items[0][price]" });
  return { price, quantity: line.quantity };
}

function expiryOf(params: SessionParameters, created: number): number {
  const expiry = params.expires_at ?? created + 24 * hours;
  if (expiry < created + 30 * minutes || expiry > created + 24 * hours)
    throw new StripeFault(
      400,
      "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.",
      { param: "expires_at" },
    );
  return expiry;
}

/** The coupon, and the promotion code that it was requested by, if any. */
function findDiscount({ store }: StripeContext, params: SessionParameters) {
  const [requested] = params.discounts ?? [];
  const code = requested?.promotion_code
    ? store.get("promotion_code", requested.promotion_code, "discounts[0][promotion_code]")
    : null;
  const coupon = requested?.coupon ?? (code?.promotion.coupon as string | undefined) ?? null;
  return { coupon, code };
}

function trialSettingsOf({ subscription_data: data }: SessionParameters): Objects["subscription"]["trial_settings"] {
  const missing = data?.trial_settings?.end_behavior.missing_payment_method ?? "create_invoice";
  return { end_behavior: { billing_cycle_anchor: null, missing_payment_method: missing } };
}

/** A customer's subscriptions are all in one currency. */
function requireOneCurrency({ store }: StripeContext, customer: string | undefined, currency: string) {
  const running = store.all("subscription").find((each) => each.customer === customer && each.status !== "canceled");
  if (customer && running && running.currency !== currency)
    throw new StripeFault(
      400,
      `You cannot combine currencies on a single customer. This customer has an active subscription in ${running.currency}.`,
    );
}

/** Stripe charges nothing, or at least about half a euro. */
function requireChargeable(amount: number, currency: string) {
  const least = minimums[currency] ?? 50;
  if (amount === 0 || amount >= least) return;
  throw new StripeFault(400, "The Checkout Session's total amount due must add up to at least 0.50 euro.", {
    code: "amount_too_small",
  });
}

/** The methods that the page offers: those that the account has turned on, if they are allowed. */
function methodsOf({ allowed_payment_method_types: allowed = ["card"] }: SessionParameters): string[] {
  return ["card", "sepa_debit"].filter((type) => allowed.includes(type));
}

function fieldsFrom(params: SessionParameters) {
  return {
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    payment_method_types: methodsOf(params),
    automatic_tax: { enabled: params.automatic_tax?.enabled ?? false, liability: null, provider: null, status: null },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    customer: params.customer ?? null,
    customer_email: params.customer_email ?? null,
    locale: params.locale ?? null,
    metadata: mergeMetadata({}, params.metadata),
    success_url: params.success_url,
    tax_id_collection: { enabled: params.tax_id_collection?.enabled ?? false, required: "never" as const },
  };
}
