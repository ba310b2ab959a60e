import { z } from "zod";
import { flag, integer, metadata, takes, text, url } from "./parameters.ts";
import { StripeFault } from "./StripeFault.ts";

const quantity = integer.pipe(z.number().min(1).max(999_999));
const locales =
  "auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW".split(
    " ",
  );
/** Those that subscriptions can be paid with. */
const paymentMethods = "card sepa_debit link paypal us_bank_account bacs_debit au_becs_debit amazon_pay".split(" ");

export const sessionParameters = takes({
  mode: z.literal("subscription"),
  success_url: url,
  cancel_url: url.optional(),
  line_items: z.array(z.strictObject({ price: text, quantity: quantity.default(1) })).length(1),
  discounts: z
    .array(z.strictObject({ coupon: text.optional(), promotion_code: text.optional() }))
    .max(1)
    .optional(),
  allow_promotion_codes: flag.optional(),
  locale: z.enum(locales).optional(),
  client_reference_id: z.string().min(1).max(200).optional(),
  metadata: metadata.optional(),
  subscription_data: z
    .strictObject({
      metadata: metadata.optional(),
      description: text.optional(),
      trial_period_days: integer.pipe(z.number().min(1).max(730)).optional(),
      trial_settings: z
        .strictObject({
          end_behavior: z.strictObject({ missing_payment_method: z.enum(["create_invoice", "cancel", "pause"]) }),
        })
        .optional(),
    })
    .optional(),
  // The stand-in's page always asks for a card.
  payment_method_collection: z.literal("always").optional(),
  expires_at: integer.optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  customer_update: z.partialRecord(z.enum(["address", "name", "shipping"]), z.enum(["auto", "never"])).optional(),
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  tax_id_collection: z.strictObject({ enabled: flag }).optional(),
  billing_address_collection: z.enum(["auto", "required"]).optional(),
  allowed_payment_method_types: z.array(z.enum(paymentMethods)).min(1).optional(),
});

export type SessionParameters = z.output<typeof sessionParameters>;

/** Rejects the combinations of parameters that Stripe rejects. */
export function requireCompatible(params: SessionParameters) {
  if (params.customer && params.customer_email)
    throw new StripeFault(400, "You may only specify one of these parameters: customer, customer_email.");
  if (params.discounts && params.allow_promotion_codes)
    throw new StripeFault(400, "You may only specify one of these parameters: allow_promotion_codes, discounts.");
  const { trial_period_days: trial, trial_settings: settings } = params.subscription_data ?? {};
  if (settings && trial === undefined)
    throw new StripeFault(400, "You can only set `trial_settings` for a subscription with a trial.", {
      param: "subscription_data[trial_settings]",
    });
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
