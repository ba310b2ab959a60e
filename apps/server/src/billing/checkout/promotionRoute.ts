import type { Promotion } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findByRefcode } from "../../account/queries.ts";
import { findSession } from "../../auth/requireSession.ts";
import type { Sessions } from "../../auth/sessions.ts";
import { AppError } from "../../platform/AppError.ts";
import { Semaphore } from "../../platform/Semaphore.ts";
import type { Billing } from "../Billing.ts";
import { callProvider } from "../callProvider.ts";
import { findCoupon } from "../coupons/findCoupon.ts";
import { hasBought } from "../queries.ts";
import { findClaim } from "./queries.ts";

/** Strangers can cause these calls to the provider, whose own limit is for all customers together. */
const maxLookups = 4;

const params = z.object({ code: z.string().max(60) });

/** What a promotional code offers. It needs no session; a customer who cannot use the code is told why. */
export function promotionRoute(scope: FastifyInstance, billing: Billing, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const lookups = new Semaphore(maxLookups);
  const options = { schema: { params }, config: { rateLimit: "promotion" } } as const;
  app.get("/api/promotion/:code", options, async (request): Promise<Promotion> => {
    const code = request.params.code.trim().toLowerCase();
    const userId = (await findSession(request, sessions))?.userId;
    const referrer = await findByRefcode(billing.db, code);
    return referrer
      ? referralFor(billing, userId, referrer)
      : callProvider(billing, () => lookups.run(() => couponFor(billing, userId, code)));
  });
}

async function referralFor(
  { db, config }: Billing,
  userId: string | undefined,
  referrer: { id: string; givenName: string },
): Promise<Promotion> {
  if (userId === referrer.id) throw new AppError("error_promotion_own");
  const claim = userId && (await findClaim(db, userId, "referral"));
  if (claim && claim.state !== "open") throw new AppError("error_promotion_already_used");
  return {
    percent_off: config.REFERRAL_PERCENT_OFF,
    duration: config.REFERRAL_DURATION,
    inviter: referrer.givenName,
  };
}

async function couponFor(billing: Billing, userId: string | undefined, code: string): Promise<Promotion> {
  const coupon = await findCoupon(billing, userId, code);
  if (!coupon) throw new AppError("error_promotion_unknown");
  if (coupon.isEnded) throw new AppError("error_promotion_ended");
  if (userId && coupon.firstPurchase && (await hasBought(billing.db, userId)))
    throw new AppError("error_promotion_first_only");
  const products = coupon.products && (await billing.catalogue.findProducts(coupon.products));
  return { ...coupon.discount, inviter: "", ...(products && { products }) };
}
