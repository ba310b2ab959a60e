import type { Referral } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import { requireSession } from "../auth/cookie.ts";
import { lockOwner, type Sessions } from "../auth/sessions.ts";
import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { AppError } from "../http/AppError.ts";
import { findPending, insertPayout } from "./queries.ts";

export function referralRoutes(app: FastifyInstance, db: Db, sessions: Sessions, config: Config) {
  const guard = requireSession(sessions);
  const info: Referral["info"] = { percent_off: config.REFERRAL_PERCENT_OFF, duration: config.REFERRAL_DURATION };

  app.get("/api/referral", { preValidation: guard }, async ({ session }): Promise<Referral> => {
    return { info, pending: await findPending(db, session.userId) };
  });

  app.post("/api/referral/payout", { preValidation: guard }, async ({ session }, reply) => {
    await db.transaction(async (tx) => {
      if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
      const due = (await findPending(tx, session.userId)).filter(({ sum }) => sum > 0);
      if (due.length === 0) throw new AppError("error_payout_nothing");
      for (const { currency } of due) await insertPayout(tx, session.userId, currency);
    });
    return reply.code(202).send({ ok: true });
  });
}
