import { trafficRanges } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { Db } from "../db/connect.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { findTraffic } from "./queries.ts";

const querystring = z.object({ range: z.enum(trafficRanges) });

export function trafficRoute(scope: FastifyInstance, db: Db, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const options = {
    schema: { params: idParams, querystring },
    preValidation: requireSession(sessions),
    config: { rateLimit: "projectReads" },
  } as const;
  app.get("/api/projects/:id/traffic", options, async ({ session, params, query }) => {
    const points = await findTraffic(db, session.userId, params.id, query.range);
    if (!points) throw new AppError("error_project_not_found");
    return points;
  });
}
