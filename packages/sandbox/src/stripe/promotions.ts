import { z } from "zod";
import { flag, integer, mergeMetadata, metadata, percent, takes, text } from "./parameters.ts";
import { passes, type Route, readRoutes, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

export const promotionRoutes: Route[] = [
  route(
    "POST",
    "/v1/coupons",
    takes({
      id: text.optional(),
      name: text.optional(),
      percent_off: percent.optional(),
      amount_off: integer.optional(),
      currency: text.optional(),
      duration: z.enum(["once", "forever", "repeating"]).default("once"),
      duration_in_months: integer.optional(),
      max_redemptions: integer.optional(),
      metadata: metadata.optional(),
    }),
    (context, params) => {
      if (params.id && context.store.find("coupon", params.id))
        throw new StripeFault(400, "Coupon already exists.", { code: "resource_already_exists" });
      if ((params.percent_off === undefined) === (params.amount_off === undefined))
        throw new StripeFault(400, "You must pass either `percent_off` or `amount_off`, and not both.");
      const coupon = context.store.put({
        id: params.id ?? newId("co"),
        object: "coupon",
        amount_off: params.amount_off ?? null,
        created: now(),
        currency: params.currency ?? null,
        duration: params.duration,
        duration_in_months: params.duration_in_months ?? null,
        livemode: false,
        max_redemptions: params.max_redemptions ?? null,
        metadata: mergeMetadata({}, params.metadata),
        name: params.name ?? null,
        percent_off: params.percent_off ?? null,
        redeem_by: null,
        times_redeemed: 0,
        valid: true,
      });
      context.emit("coupon.created", coupon);
      return coupon;
    },
  ),
  ...readRoutes("coupon", "/v1/coupons", {}, () => true),

  route(
    "POST",
    "/v1/promotion_codes",
    takes({
      promotion: z.strictObject({ type: z.literal("coupon"), coupon: text }),
      code: text.optional(),
      customer: text.optional(),
      max_redemptions: integer.optional(),
      expires_at: integer.optional(),
      active: flag.optional(),
      restrictions: z.strictObject({ first_time_transaction: flag.optional() }).optional(),
      metadata: metadata.optional(),
    }),
    (context, params) => {
      context.store.get("coupon", params.promotion.coupon, "promotion[coupon]");
      const code = params.code ?? newId("").slice(-8).toUpperCase();
      const isTaken = context.store.all("promotion_code").some((other) => other.active && other.code === code);
      if (isTaken) throw new StripeFault(400, "An active promotion code with that code already exists.");
      const promotionCode = context.store.put({
        id: newId("promo"),
        object: "promotion_code",
        active: params.active ?? true,
        code,
        created: now(),
        customer: params.customer ?? null,
        customer_account: null,
        expires_at: params.expires_at ?? null,
        livemode: false,
        max_redemptions: params.max_redemptions ?? null,
        metadata: mergeMetadata({}, params.metadata),
        promotion: params.promotion,
        restrictions: {
          first_time_transaction: params.restrictions?.first_time_transaction ?? false,
          minimum_amount: null,
          minimum_amount_currency: null,
        },
        times_redeemed: 0,
      });
      context.emit("promotion_code.created", promotionCode);
      return promotionCode;
    },
  ),
  route(
    "POST",
    "/v1/promotion_codes/:id",
    takes({ active: flag.optional(), metadata: metadata.optional() }),
    (context, params, id) => {
      const old = context.store.get("promotion_code", id);
      const promotionCode = context.store.put({
        ...old,
        active: params.active ?? old.active,
        metadata: mergeMetadata(old.metadata ?? {}, params.metadata),
      });
      context.emit("promotion_code.updated", promotionCode);
      return promotionCode;
    },
  ),
  ...readRoutes(
    "promotion_code",
    "/v1/promotion_codes",
    { code: text.optional(), active: flag.optional(), coupon: text.optional() },
    (object, { code, active, coupon }) =>
      passes(object.code, code) && passes(object.active, active) && passes<unknown>(object.promotion.coupon, coupon),
  ),
];
