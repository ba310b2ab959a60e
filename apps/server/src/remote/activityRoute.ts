import type { ActivityEntry, ActivityPage } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { type ActivityRow, findPage } from "../activity/queries.ts";
import { requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { Db } from "../db/connect.ts";
import { findUndo } from "./undo.ts";

const pageSize = 30;
const querystring = z.object({
  project: z.uuid().optional(),
  before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
});

/** The customer's activity log, page by page. */
export function activityRoute(scope: FastifyInstance, db: Db, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const options = { schema: { querystring }, preValidation: requireSession(sessions) };
  app.get("/api/activity", { ...options, config: { rateLimit: "activity" } }, ({ session, query }) =>
    db.transaction(async (tx): Promise<ActivityPage> => {
      const { userId } = session;
      const rows = await findPage(tx, userId, { ...query, limit: pageSize + 1 });
      const page = rows.slice(0, pageSize);
      const entries = [];
      for (const row of page) entries.push(present(row, await findUndo(tx, userId, row)));
      const last = page.at(-1);
      return { entries, ...(rows.length > pageSize && last && { next: last.id }) };
    }),
  );
}

function present(row: ActivityRow, undo: ActivityEntry["undo"]): ActivityEntry {
  const { id, kind, params, projectId, actor, createdAt, isUndone } = row;
  return {
    id,
    kind,
    params,
    project_id: projectId,
    actor,
    created_at: createdAt.toISOString(),
    is_undone: isUndone,
    ...(undo && { undo }),
  } as ActivityEntry;
}
