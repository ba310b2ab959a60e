import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { Db } from "../db/connect.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnPicture } from "./queries.ts";

/** The picture of a customer's site. Its address in the state changes with every picture. */
export function pictureRoute(scope: FastifyInstance, db: Db, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const options = {
    schema: { params: idParams },
    preValidation: requireSession(sessions),
    config: { rateLimit: "projectReads" },
  } as const;
  app.get("/api/projects/:id/picture", options, async ({ session, params }, reply) => {
    const image = await findOwnPicture(db, session.userId, params.id);
    if (!image) throw new AppError("error_not_found");
    return reply.type("image/webp").header("cache-control", "private, max-age=31536000, immutable").send(image);
  });
}
