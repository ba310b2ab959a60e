import type { Referral } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findByRefcode } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { browserAs } from "../auth/devices.ts";
import { requireRecentProof } from "../auth/proofs.ts";
import { requireSession } from "../auth/requireSession.ts";
import { lockOwner, type Sessions } from "../auth/sessions.ts";
import type { Config } from "../config/parseConfig.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import { findPending, insertPayout } from "./queries.ts";

const params = z.object({ code: z.string().max(60) });

export function referralRoutes(scope: FastifyInstance, db: Db, sessions: Sessions, config: Config) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const guard = requireSession(sessions);
  const info: Referral["info"] = { percent_off: config.REFERRAL_PERCENT_OFF, duration: config.REFERRAL_DURATION };

  // The terms of a promotion, for visitors who arrive with a refcode.
  const perMinute = { rateLimit: "promotion" } as const;
  app.get("/api/promotion/:code", { schema: { params }, config: perMinute }, async (request) => {
    const referrer = await findByRefcode(db, request.params.code.toLowerCase());
    if (!referrer) throw new AppError("error_promotion_unknown");
    return info;
  });

  app.get("/api/referral", { preValidation: guard }, async ({ session }): Promise<Referral> => {
    return { info, pending: await findPending(db, session.userId) };
  });

  app.post("/api/referral/payout", { preValidation: guard }, async ({ session }, reply) => {
    requireRecentProof(session);
    await db.transactionOf(session.userId, async (tx) => {
      if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
      const due = (await findPending(tx, session.userId)).filter(({ payable }) => payable > 0);
      if (due.length === 0) throw new AppError("error_payout_nothing");
      for (const { currency, payable: amount } of due) {
        await insertPayout(tx, session.userId, currency);
        await mailCustomer(tx, session.userId, "payoutRequested", { amount, currency });
        const params = { amount, currency };
        await record(tx, session.userId, browserAs(session), { kind: "payoutRequested", params });
      }
      await announceChange(tx, session.userId);
    });
    return reply.code(202).send({ ok: true });
  });
}
