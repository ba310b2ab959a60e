import { isReservedName, isSiteName } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findSession } from "../../auth/requireSession.ts";
import type { Sessions } from "../../auth/sessions.ts";
import type { Db } from "../../db/connect.ts";
import { AppError } from "../../platform/AppError.ts";
import { findOwnArchived, isNameTaken } from "../../projects/queries.ts";
import { isBuyable } from "../restoreProject.ts";
import { isNameHeld } from "./queries.ts";

const params = z.object({ name: z.string() });

/**
 * Answers 202 if a site name is free, and 409 if it is taken. It needs no session, because visitors choose a name
 * before they sign in. A name that is held by the customer's own checkout is free for them, and so is that of their
 * deleted project that a purchase brings back.
 */
export function nameAvailabilityRoute(scope: FastifyInstance, db: Db, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const config = { rateLimit: "nameAvailability" } as const;
  app.get("/api/domain/:name", { schema: { params }, config }, async (request, reply) => {
    const { name } = request.params;
    if (!isSiteName(name)) throw new AppError("error_name_invalid");
    const session = await findSession(request, sessions);
    const isTaken = isReservedName(name) || (await isNameTaken(db, name));
    if (isTaken && !(session && (await isOwnDeleted(db, session.userId, name)))) throw new AppError("error_name_taken");
    if (await isNameHeld(db, name, session?.userId)) throw new AppError("error_name_taken");
    return reply.code(202).send({ ok: true });
  });
}

async function isOwnDeleted(db: Db, userId: string, name: string): Promise<boolean> {
  const project = await findOwnArchived(db, userId, { name });
  return project !== undefined && isBuyable(db, project);
}
