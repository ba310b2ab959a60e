import { z } from "zod";
import type { Objects } from "./objects.ts";
import { currency, flag, integer, listing, mergeMetadata, metadata, positive, takes, text } from "./parameters.ts";
import { page, passes, type Route, route } from "./Route.ts";
import { isRedeemable, requireNear } from "./redemption.ts";
import { newId, now, type Store } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

type PromotionCode = Objects["promotion_code"];

const path = "/v1/promotion_codes";

export const promotionCodeRoutes: Route[] = [
  route(
    "POST",
    path,
    takes({
      promotion: z.strictObject({ type: z.literal("coupon"), coupon: text }),
      code: z
        .string()
        .regex(/^[A-Za-z0-9-]{1,500}$/)
        .optional(),
      customer: text.optional(),
      max_redemptions: positive.optional(),
      expires_at: integer.optional(),
      active: flag.optional(),
      restrictions: z
        .strictObject({
          first_time_transaction: flag.optional(),
          minimum_amount: positive.optional(),
          minimum_amount_currency: currency.optional(),
        })
        .optional(),
      metadata: metadata.optional(),
    }),
    (context, params) => {
      const { store } = context;
      const coupon = store.get("coupon", params.promotion.coupon, "promotion[coupon]");
      if (params.customer) store.get("customer", params.customer, "customer");
      requireNear(params.expires_at, "expires_at");
      const { minimum_amount, minimum_amount_currency, first_time_transaction } = params.restrictions ?? {};
      if ((minimum_amount === undefined) !== (minimum_amount_currency === undefined))
        throw new StripeFault(400, "You must pass `minimum_amount_currency` with `minimum_amount`.", {
          param: "restrictions",
        });
      if (coupon.max_redemptions !== null && (params.max_redemptions ?? 0) > coupon.max_redemptions)
        throw new StripeFault(400, "`max_redemptions` cannot be greater than the coupon's `max_redemptions`.", {
          param: "max_redemptions",
        });
      if (coupon.redeem_by !== null && (params.expires_at ?? 0) > coupon.redeem_by)
        throw new StripeFault(400, "`expires_at` cannot be after the coupon's `redeem_by`.", { param: "expires_at" });
      const code = params.code ?? newId("").slice(-8).toUpperCase();
      const isTaken = store.all("promotion_code").some((other) => isActive(store, other) && isSameCode(other, code));
      if (isTaken) throw new StripeFault(400, "An active promotion code with that code already exists.");
      const promotionCode = store.put({
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
          first_time_transaction: first_time_transaction ?? false,
          minimum_amount: minimum_amount ?? null,
          minimum_amount_currency: minimum_amount_currency ?? null,
        },
        times_redeemed: 0,
      });
      context.emit("promotion_code.created", promotionCode);
      return promotionCode;
    },
  ),
  route(
    "POST",
    `${path}/:id`,
    takes({ active: flag.optional(), metadata: metadata.optional() }),
    (context, params, id) => {
      const old = context.store.get("promotion_code", id);
      if (params.active && !isRedeemable(context.store, old))
        throw new StripeFault(400, "This promotion code can no longer be redeemed, so it cannot be activated.", {
          param: "active",
        });
      const promotionCode = context.store.put({
        ...old,
        active: params.active ?? old.active,
        metadata: mergeMetadata(old.metadata ?? {}, params.metadata),
      });
      context.emit("promotion_code.updated", promotionCode);
      return shown(context.store, promotionCode);
    },
  ),
  route("GET", `${path}/:id`, takes({}), ({ store }, _params, id) => shown(store, store.get("promotion_code", id))),
  route(
    "GET",
    path,
    takes({ ...listing, code: text.optional(), active: flag.optional(), coupon: text.optional() }),
    ({ store }, { code, active, coupon, ...requested }) => {
      const found = store
        .all("promotion_code")
        .map((object) => shown(store, object))
        .filter(
          (object) =>
            (code === undefined || isSameCode(object, code)) &&
            passes(object.active, active) &&
            passes<unknown>(object.promotion.coupon, coupon),
        );
      return page(found, path, requested);
    },
  ),
];

function isSameCode(object: PromotionCode, code: string): boolean {
  return object.code.toLowerCase() === code.toLowerCase();
}

/** A code that has expired or is used up is no longer active, although nobody deactivated it. */
function shown(store: Store, object: PromotionCode): PromotionCode {
  return { ...object, active: isActive(store, object) };
}

function isActive(store: Store, object: PromotionCode): boolean {
  return object.active && isRedeemable(store, object);
}
