import { isReservedName, isSiteName } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findSession } from "../../auth/cookie.ts";
import type { Sessions } from "../../auth/sessions.ts";
import type { Db } from "../../db/connect.ts";
import { AppError } from "../../platform/AppError.ts";
import { isNameTaken } from "../../projects/queries.ts";
import { isNameHeld } from "./queries.ts";

const params = z.object({ name: z.string() });

/**
 * Whether a name is free: 202, or 409. Open to visitors, who may name a site before they sign in; whoever is
 * buying a site of that name still has it.
 */
export function nameAvailabilityRoute(scope: FastifyInstance, db: Db, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const config = { rateLimit: { max: 60, timeWindow: "1 minute" } };
  app.get("/api/domain/:name", { schema: { params }, config }, async (request, reply) => {
    const { name } = request.params;
    if (!isSiteName(name)) throw new AppError("error_name_invalid");
    if (isReservedName(name) || (await isNameTaken(db, name))) throw new AppError("error_name_taken");
    const session = await findSession(request, sessions);
    if (await isNameHeld(db, name, session?.userId)) throw new AppError("error_name_taken");
    return reply.code(202).send({ ok: true });
  });
}
