import { closeAccountSchema, type DataExport } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { record } from "../activity/record.ts";
import type { Accounts } from "../auth/Accounts.ts";
import { browserAs } from "../auth/devices.ts";
import { requireRecentProof } from "../auth/proofs.ts";
import { requireSession } from "../auth/requireSession.ts";
import { lockOwner, type Sessions } from "../auth/sessions.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { idParams } from "../http/idParams.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";
import { enqueue, findJob } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import { closeAccount, reopenAccount } from "./closeAccount.ts";
import type { ExportStore } from "./ExportStore.ts";
import { exportDataJob } from "./jobs.ts";
import { beginExport, type ExportRow, findExport } from "./queries.ts";

interface Deps {
  db: Db;
  endTokens: Accounts["endTokens"];
  sessions: Sessions;
  exports: ExportStore;
  limiter: RateLimiter;
  forget(userId: string): void;
}

/** A copy of the customer's data, and closing the account. */
export function leavingRoutes(scope: FastifyInstance, { db, endTokens, sessions, exports, limiter, forget }: Deps) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preValidation = requireSession(sessions, { restricted: false, closed: true });
  const limited = { preValidation, config: { rateLimit: "accountRequests" } } as const;

  app.get("/api/account/export", { preValidation }, async ({ session }): Promise<{ export: DataExport | null }> => {
    const row = await findExport(db, session.userId);
    return { export: row ? present(row) : null };
  });

  app.post("/api/account/export", limited, async ({ session }, reply) => {
    requireRecentProof(session);
    const { userId } = session;
    const known = await findExport(db, userId);
    const isRunning = known?.state === "running" && (await findJob(db, exportDataJob, userId)) !== undefined;
    if (!isRunning) {
      await limiter.take("dataExports", userId);
      const old = await db.transactionOf(userId, async (tx) => {
        if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
        const replaced = await beginExport(tx, userId);
        await enqueue(tx, exportDataJob, { userId });
        await record(tx, userId, browserAs(session), { kind: "exportRequested", params: {} });
        await announceChange(tx, userId);
        return replaced;
      });
      if (old) await exports.remove(old);
      forget(userId);
    }
    return reply.code(202).send({ ok: true });
  });

  // The dashboard asks this before it follows the link, so that the customer can be asked for a proof.
  app.post("/api/account/export/:id", { schema: { params: idParams }, ...limited }, async ({ session, params }) => {
    requireRecentProof(session);
    await findReady(session.userId, params.id);
    return { ok: true };
  });

  app.get(
    "/api/account/export/:id",
    { schema: { params: idParams }, preValidation, config: { rateLimit: "exportDownloads" } },
    async ({ session, params }, reply) => {
      requireRecentProof(session);
      const { id, size, createdAt } = await findReady(session.userId, params.id);
      return reply
        .type("application/zip")
        .header("content-length", size)
        .header("content-disposition", `attachment; filename="nido-${createdAt.toISOString().slice(0, 10)}.zip"`)
        .header("cache-control", "no-store")
        .send(await exports.read(id));
    },
  );

  async function findReady(userId: string, id: string): Promise<ExportRow> {
    const row = await findExport(db, userId);
    if (row?.id !== id || row.state !== "ready") throw new AppError("error_not_found");
    return row;
  }

  app.post("/api/account/close", limited, async ({ session, body }) => {
    const { email } = parseInput(closeAccountSchema, body);
    requireRecentProof(session);
    await closeAccount(db, endTokens, session, email);
    forget(session.userId);
    return { ok: true };
  });

  app.post("/api/account/reopen", limited, async ({ session }) => {
    requireRecentProof(session);
    await reopenAccount(db, session);
    forget(session.userId);
    return { ok: true };
  });
}

function present({ id, state, progress, size, expiresAt }: ExportRow): DataExport {
  return { id, state, progress, size, expires_at: expiresAt.toISOString() };
}
