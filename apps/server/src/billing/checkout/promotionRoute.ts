import type { Promotion } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findByRefcode } from "../../account/queries.ts";
import { findSession } from "../../auth/requireSession.ts";
import type { Sessions } from "../../auth/sessions.ts";
import type { Config } from "../../config/parseConfig.ts";
import type { Db } from "../../db/connect.ts";
import { AppError } from "../../platform/AppError.ts";
import { findPromotionClaim } from "./queries.ts";

const params = z.object({ code: z.string().max(60) });

/** What a promotional code offers. It needs no session; a customer who cannot use the code is told why. */
export function promotionRoute(scope: FastifyInstance, db: Db, sessions: Sessions, config: Config) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const options = { schema: { params }, config: { rateLimit: "promotion" } } as const;
  app.get("/api/promotion/:code", options, async (request): Promise<Promotion> => {
    const referrer = await findByRefcode(db, request.params.code.toLowerCase());
    if (!referrer) throw new AppError("error_promotion_unknown");
    const session = await findSession(request, sessions);
    if (session?.userId === referrer.id) throw new AppError("error_promotion_own");
    const claim = session && (await db.transaction((tx) => findPromotionClaim(tx, session.userId)));
    if (claim?.state === "paid") throw new AppError("error_promotion_already_used");
    return {
      percent_off: config.REFERRAL_PERCENT_OFF,
      duration: config.REFERRAL_DURATION,
      inviter: referrer.givenName,
    };
  });
}
