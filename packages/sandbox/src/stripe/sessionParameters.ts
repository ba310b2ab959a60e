import { z } from "zod";
import { flag, integer, metadata, takes, text } from "./parameters.ts";
import { StripeFault } from "./StripeFault.ts";

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

export type SessionParameters = z.output<typeof sessionParameters>;

/** Rejects the combinations of parameters that Stripe rejects. */
export function requireCompatible(params: SessionParameters) {
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
