import type { SsoToken } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { requireSession } from "../auth/cookie.ts";
import type { Sessions } from "../auth/sessions.ts";
import { type Domains, lookUp } from "../domains/checkDomains.ts";
import { findPrimaryClaim } from "../domains/queries.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnWordPress } from "./queries.ts";
import { giveToken } from "./ssoTokens.ts";

/** Leave for the owner to enter their WordPress. */
export function wordpressRoutes(scope: FastifyInstance, domains: Domains, sessions: Sessions) {
  const { db } = domains;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preValidation = requireSession(sessions);
  const config = { rateLimit: { max: 30, timeWindow: "1 minute" } };
  app.get("/api/vault/:id/sso", { schema: { params: idParams }, preValidation, config }, async (request, reply) => {
    const site = await findOwnWordPress(db, request.session.userId, request.params.id);
    if (!site) throw new AppError("error_project_not_found");
    // The leave goes where the site's address leads: somebody else may have the name since it was last looked up.
    const primary = await findPrimaryClaim(db, site.id);
    const { fault } = primary ? await lookUp(domains, primary) : {};
    if (fault) throw new AppError(fault);
    const answer: SsoToken = { token: await giveToken(db, site.id) };
    return reply.header("cache-control", "no-store").send(answer);
  });
}
