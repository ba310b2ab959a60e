import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { Db } from "../db/connect.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnTask } from "./queries.ts";

export function taskRoutes(scope: FastifyInstance, db: Db, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    "/api/tasks/:id",
    { schema: { params: idParams }, preValidation: requireSession(sessions) },
    async (request) => {
      const task = await findOwnTask(db, request.session.userId, request.params.id);
      if (!task) throw new AppError("error_not_found");
      return task;
    },
  );
}
