import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { requireSession } from "../auth/cookie.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { Db } from "../db/connect.ts";
import { AppError } from "../http/AppError.ts";
import { findOwnTask } from "./queries.ts";

const params = z.object({
  id: z
    .string()
    .regex(/^[\w-]+$/)
    .catch("none"),
});

export function taskRoutes(scope: FastifyInstance, db: Db, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get("/api/tasks/:id", { schema: { params }, preValidation: requireSession(sessions) }, async (request) => {
    const task = await findOwnTask(db, request.session.userId, request.params.id);
    if (!task) throw new AppError("error_not_found");
    return task;
  });
}
