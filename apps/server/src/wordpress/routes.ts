import type { SsoToken } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { requireSession } from "../auth/cookie.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { Db } from "../db/connect.ts";
import { AppError } from "../http/AppError.ts";
import { idParams } from "../http/idParams.ts";
import { findOwnWordPress } from "./queries.ts";
import { giveToken } from "./ssoTokens.ts";

/** Leave for the owner to enter their WordPress. */
export function wordpressRoutes(scope: FastifyInstance, db: Db, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preValidation = requireSession(sessions);
  const config = { rateLimit: { max: 30, timeWindow: "1 minute" } };
  app.get("/api/vault/:id/sso", { schema: { params: idParams }, preValidation, config }, async (request, reply) => {
    const site = await findOwnWordPress(db, request.session.userId, request.params.id);
    if (!site) throw new AppError("error_project_not_found");
    const answer: SsoToken = { token: await giveToken(db, site.id) };
    return reply.header("cache-control", "no-store").send(answer);
  });
}
