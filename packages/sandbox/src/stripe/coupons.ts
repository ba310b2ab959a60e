import { z } from "zod";
import { currency, integer, mergeMetadata, metadata, percent, positive, takes, text } from "./parameters.ts";
import { type Route, readRoutes, route } from "./Route.ts";
import { productsId, requireNear } from "./redemption.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

export const couponRoutes: Route[] = [
  route(
    "POST",
    "/v1/coupons",
    takes({
      id: text.optional(),
      name: text.max(40).optional(),
      percent_off: percent.pipe(z.number().gt(0).max(100)).optional(),
      amount_off: positive.optional(),
      currency: currency.optional(),
      duration: z.enum(["once", "forever", "repeating"]).default("once"),
      duration_in_months: positive.optional(),
      max_redemptions: positive.optional(),
      redeem_by: integer.optional(),
      applies_to: z.strictObject({ products: z.array(text).min(1) }).optional(),
      metadata: metadata.optional(),
    }),
    (context, params) => {
      if (params.id && context.store.find("coupon", params.id))
        throw new StripeFault(400, "Coupon already exists.", { code: "resource_already_exists" });
      if ((params.percent_off === undefined) === (params.amount_off === undefined))
        throw new StripeFault(400, "You must pass either `percent_off` or `amount_off`, and not both.");
      if ((params.amount_off === undefined) !== (params.currency === undefined))
        throw new StripeFault(400, "You must pass `currency` with `amount_off`, and not without it.", {
          param: "currency",
        });
      if ((params.duration === "repeating") !== (params.duration_in_months !== undefined))
        throw new StripeFault(400, "You must pass `duration_in_months` if, and only if, duration is `repeating`.", {
          param: "duration_in_months",
        });
      requireNear(params.redeem_by, "redeem_by");
      for (const product of params.applies_to?.products ?? [])
        context.store.get("product", product, "applies_to[products]");
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
        redeem_by: params.redeem_by ?? null,
        times_redeemed: 0,
        valid: true,
      });
      if (params.applies_to)
        context.store.put({ id: productsId(coupon.id), object: "_products", products: params.applies_to.products });
      context.emit("coupon.created", coupon);
      return coupon;
    },
  ),
  ...readRoutes("coupon", "/v1/coupons", {}, () => true),
];
