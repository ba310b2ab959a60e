import { z } from "zod";
import type { Books } from "./Books.ts";
import { discountOf } from "./discountOf.ts";
import type { Objects } from "./objects.ts";
import { flag, integer, mergeMetadata, metadata, takes, text } from "./parameters.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";
import { taxOf } from "./taxOf.ts";

const minutes = 60;
const hours = 60 * minutes;

export const sessionParameters = takes({
  mode: z.literal("subscription"),
  success_url: text,
  cancel_url: text.optional(),
  line_items: z.array(z.strictObject({ price: text, quantity: integer.default(1) })).length(1),
  discounts: z
    .array(z.strictObject({ coupon: text.optional(), promotion_code: text.optional() }))
    .max(1)
    .optional(),
  allow_promotion_codes: flag.optional(),
  locale: text.optional(),
  client_reference_id: z.string().min(1).max(200).optional(),
  metadata: metadata.optional(),
  subscription_data: z.strictObject({ metadata: metadata.optional(), description: text.optional() }).optional(),
  expires_at: integer.optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  customer_update: z.partialRecord(z.enum(["address", "name", "shipping"]), z.enum(["auto", "never"])).optional(),
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  tax_id_collection: z.strictObject({ enabled: flag }).optional(),
  billing_address_collection: z.enum(["auto", "required"]).optional(),
  allowed_payment_method_types: z.array(text).optional(),
});

export function createSession(books: Books, params: z.output<typeof sessionParameters>): Objects["checkout.session"] {
  const { store } = books;
  const [line] = params.line_items;
  if (!line) throw new StripeFault(400, "Missing required param: line_items.", { code: "parameter_missing" });
  const price = store.get("price", line.price, "line_items[0][price]");
  if (!price.active || !price.recurring)
    throw new StripeFault(400, "The price specified is inactive or not recurring.", { param: "line_items[0][price]" });
  const customer = params.customer ? store.get("customer", params.customer, "customer") : undefined;
  requireTogether(params);

  const created = now();
  const expires_at = params.expires_at ?? created + 24 * hours;
  if (expires_at < created + 30 * minutes || expires_at > created + 24 * hours)
    throw new StripeFault(
      400,
      "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.",
      { param: "expires_at" },
    );

  const [asked] = params.discounts ?? [];
  const code = asked?.promotion_code
    ? store.get("promotion_code", asked.promotion_code, "discounts[0][promotion_code]")
    : null;
  const coupon = asked?.coupon ?? (code?.promotion.coupon as string | undefined) ?? null;
  const subtotal = (price.unit_amount ?? 0) * line.quantity;
  const discount = coupon ? discountOf(store.get("coupon", coupon, "discounts[0][coupon]"), subtotal) : 0;

  const tax = taxOf(params.automatic_tax?.enabled ?? false, customer, subtotal - discount);

  const id = newId("cs_test");
  store.put({
    id: orderId(id),
    object: "_order",
    price: price.id,
    quantity: line.quantity,
    coupon,
    promotionCode: code?.id ?? null,
    metadata: mergeMetadata({}, params.subscription_data?.metadata),
  });
  return store.put({
    id,
    object: "checkout.session",
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: subtotal,
    amount_total: subtotal - discount + tax,
    automatic_tax: { enabled: params.automatic_tax?.enabled ?? false, liability: null, provider: null, status: null },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency: price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: params.customer ?? null,
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    customer_email: params.customer_email ?? null,
    discounts: coupon ? [{ coupon: code ? null : coupon, promotion_code: code?.id ?? null }] : [],
    expires_at,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: { enabled: false },
    metadata: mergeMetadata({}, params.metadata),
    mode: "subscription",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "always",
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: "automatic" } },
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ["always"],
      payment_method_remove: "disabled",
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: params.success_url,
    tax_id_collection: { enabled: params.tax_id_collection?.enabled ?? false, required: "never" },
    total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: tax },
    ui_mode: "hosted_page",
    url: `${books.origin}/stripe/pay/${id}`,
    wallet_options: null,
  });
}

/** What the service refuses in combination. */
function requireTogether(params: z.output<typeof sessionParameters>) {
  if (params.customer && params.customer_email)
    throw new StripeFault(400, "You may only specify one of these parameters: customer, customer_email.");
  if (params.discounts && params.allow_promotion_codes)
    throw new StripeFault(400, "You may only specify one of these parameters: allow_promotion_codes, discounts.");
  const update: Partial<Record<string, string>> = params.customer_update ?? {};
  if (params.customer && params.automatic_tax?.enabled && update["address"] !== "auto")
    throw new StripeFault(
      400,
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Set `customer_update[address]` to 'auto' to save the address entered during Checkout.",
    );
  if (params.customer && params.tax_id_collection?.enabled && update["name"] !== "auto")
    throw new StripeFault(
      400,
      "Tax ID collection requires updating business name on the customer. Set `customer_update[name]` to 'auto'.",
    );
}

export function orderId(sessionId: string): string {
  return `_order_${sessionId}`;
}
