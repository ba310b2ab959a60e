import { ibanSchema, type Referral } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import { findUser, updateUser } from "../account/queries.ts";
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
import type { SecretBox } from "../platform/SecretBox.ts";
import { ibanOf } from "./ibanOf.ts";
import { findLedger, findPayouts, findPending, insertPayout } from "./queries.ts";

interface Options {
  db: Db;
  sessions: Sessions;
  config: Config;
  /** encrypts account numbers */
  box: SecretBox;
}

export function referralRoutes(app: FastifyInstance, { db, sessions, config, box }: Options) {
  const guard = requireSession(sessions);
  const info: Referral["info"] = { percent_off: config.REFERRAL_PERCENT_OFF, duration: config.REFERRAL_DURATION };

  app.get(
    "/api/referral",
    { preValidation: guard, config: { rateLimit: "billingReads" } },
    async ({ session }): Promise<Referral> => {
      const { userId } = session;
      const ibanEnd = (await findUser(db, userId))?.ibanEnd;
      return {
        info,
        earning_percent: config.REFERRAL_EARNING_PERCENT,
        pending: await findPending(db, userId),
        ledger: await findLedger(db, userId),
        payouts: await findPayouts(db, userId),
        ...(ibanEnd && { iban: ibanEnd }),
      };
    },
  );

  app.put(
    "/api/referral/iban",
    { preValidation: guard, config: { rateLimit: "billingReads" } },
    async ({ session, body }) => {
      requireRecentProof(session);
      const input = ibanSchema.safeParse(body);
      if (!input.success) throw new AppError("error_iban_invalid");
      const { iban } = input.data;
      const { userId } = session;
      await db.transactionOf(userId, async (tx) => {
        if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
        await updateUser(tx, userId, { iban: box.seal(iban, ibanOf(userId)), ibanEnd: iban.slice(-4) });
        await record(tx, userId, browserAs(session), { kind: "detailsChanged", params: { what: "iban" } });
        await mailCustomer(tx, userId, "ibanChanged", { end: iban.slice(-4) });
        await announceChange(tx, userId);
      });
      return { ok: true };
    },
  );

  app.post("/api/referral/payout", { preValidation: guard }, async ({ session }, reply) => {
    requireRecentProof(session);
    await db.transactionOf(session.userId, async (tx) => {
      if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
      const due = (await findPending(tx, session.userId)).filter(({ payable }) => payable > 0);
      if (due.length === 0) throw new AppError("error_payout_nothing");
      const user = await findUser(tx, session.userId);
      if (!user?.iban) throw new AppError("error_iban_missing");
      for (const { currency, payable: amount } of due) {
        await insertPayout(tx, user, currency);
        await mailCustomer(tx, session.userId, "payoutRequested", { amount, currency });
        const params = { amount, currency };
        await record(tx, session.userId, browserAs(session), { kind: "payoutRequested", params });
      }
      await announceChange(tx, session.userId);
    });
    return reply.code(202).send({ ok: true });
  });
}
