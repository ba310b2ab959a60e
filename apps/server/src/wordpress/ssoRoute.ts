import type { SsoToken } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { Domains } from "../domains/Domains.ts";
import { lookUpClaim } from "../domains/lookUpClaim.ts";
import { findPrimaryClaim } from "../domains/queries.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnWordPress } from "./queries.ts";
import { issueSsoToken } from "./ssoTokens.ts";

/** One-click sign-in: a token with which the owner's browser opens their WordPress. */
export function ssoRoute(scope: FastifyInstance, domains: Domains, sessions: Sessions) {
  const { db } = domains;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preValidation = requireSession(sessions);
  const config = { rateLimit: "ssoToken" } as const;
  app.get("/api/vault/:id/sso", { schema: { params: idParams }, preValidation, config }, async (request, reply) => {
    const site = await findOwnWordPress(db, request.session.userId, request.params.id);
    if (!site) throw new AppError("error_project_not_found");
    // The token goes to the primary domain, which may have a new owner since its last check.
    const primary = await findPrimaryClaim(db, site.id);
    const { fault } = primary ? await lookUpClaim(domains, primary) : {};
    if (fault) throw new AppError(fault);
    const answer: SsoToken = { token: await issueSsoToken(db, site.id) };
    return reply.header("cache-control", "no-store").send(answer);
  });
}
