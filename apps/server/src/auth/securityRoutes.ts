import {
  addPasskeySchema,
  confirmTotpSchema,
  type RecoveryCodes,
  type Security,
  type SignInChange,
} from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findUser, updateUser } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Tx } from "../db/connect.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import type { Accounts } from "./Accounts.ts";
import { closeChallenge, createChallenge, takeChallenge } from "./challenges.ts";
import { browserAs, describeDevice } from "./devices.ts";
import { endTwoStepWithoutFactor } from "./factors/dropFactors.ts";
import { creationOptions, deletePasskey, listPasskeys, verifyNewPasskey } from "./factors/passkeys.ts";
import { countRecoveryCodes, dropRecoveryCodes, renewRecoveryCodes } from "./factors/recoveryCodes.ts";
import { beginTotp, confirmTotp } from "./factors/totp.ts";
import { requireRecentProof } from "./proofs.ts";
import { clearChallenge, requireSession, sentChallenge, writeChallenge } from "./requireSession.ts";
import {
  announceSessions,
  endOtherSessions,
  endOwnSession,
  lockOwner,
  needsSecondFactor,
  type Session,
  type Sessions,
} from "./sessions.ts";
import { dropPending } from "./verifications.ts";

interface Deps {
  accounts: Accounts;
  sessions: Sessions;
  forget(userId: string): void;
}

const sessionParams = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .catch(""),
});
const passkeyParams = z.object({ id: z.string().max(2000) });

/** How a customer signs in, and where they are signed in. */
export function securityRoutes(scope: FastifyInstance, { accounts, sessions, forget }: Deps) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { db } = accounts;
  const preValidation = requireSession(sessions, { restricted: true, closed: false });
  const guarded = { preValidation, config: { rateLimit: "accountRequests" } } as const;
  const read = { preValidation, config: { rateLimit: "securityReads" } } as const;

  app.get("/api/account/security", read, async ({ session }): Promise<Security> => {
    const { userId } = session;
    const user = await findUser(db, userId);
    if (!user) throw new AppError("error_signed_out");
    const passkeys = await listPasskeys(db, userId);
    return {
      has_google: user.googleSub !== null,
      two_step: user.isTwoStep,
      two_step_required: needsSecondFactor(accounts.secondFactorFor, user.email),
      totp: user.totpSecret !== null,
      recovery_codes_left: await countRecoveryCodes(db, userId),
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        created_at: createdAt.toISOString(),
        used_at: lastUsedAt?.toISOString() ?? null,
      })),
      sessions: (await sessions.listOf(userId)).map((row) => ({
        id: row.tokenHash.toString("hex"),
        device: describeDevice(row.userAgent),
        place: row.place,
        created_at: row.createdAt.toISOString(),
        last_seen_at: row.lastSeenAt.toISOString(),
        is_current: row.tokenHash.toString("hex") === session.id,
      })),
    };
  });

  app.delete("/api/account/sessions/:id", { ...guarded, schema: { params: sessionParams } }, async (request) => {
    const { userId } = request.session;
    await db.transactionOf(userId, async (tx) => {
      if (!(await lockOwner(tx, request.session))) throw new AppError("error_signed_out");
      const ended = await endOwnSession(tx, userId, request.params.id);
      if (!ended) throw new AppError("error_not_found");
      const params = { device: describeDevice(ended.userAgent) };
      await record(tx, userId, browserAs(request.session), { kind: "sessionEnded", params });
      await announceChange(tx, userId);
    });
    forget(userId);
    return { ok: true };
  });

  app.delete("/api/account/sessions", guarded, async ({ session }) => {
    await db.transactionOf(session.userId, async (tx) => {
      if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
      await endOtherSessions(tx, session);
      await record(tx, session.userId, browserAs(session), { kind: "otherSessionsEnded", params: {} });
      await announceChange(tx, session.userId);
      await dropPending(tx, session.userId);
    });
    forget(session.userId);
    return { ok: true };
  });

  app.post("/api/account/totp", guarded, async ({ session }) => {
    requireRecentProof(session);
    return beginTotp(accounts, session.userId);
  });

  app.post("/api/account/totp/confirm", guarded, async ({ session, body }): Promise<RecoveryCodes> => {
    const { code } = parseInput(confirmTotpSchema, body);
    return change(session, "totpOn", async (tx) => {
      await confirmTotp(tx, accounts, session.userId, code);
      return { recovery_codes: await renewRecoveryCodes(tx, session.userId) };
    });
  });

  /** Two-step verification with the passkeys that the customer has. */
  app.post(
    "/api/account/two-step",
    guarded,
    async ({ session }): Promise<RecoveryCodes> =>
      change(session, "twoStepOn", async (tx) => {
        if ((await listPasskeys(tx, session.userId)).length === 0) throw new AppError("error_passkey_failed");
        await updateUser(tx, session.userId, { isTwoStep: true });
        return { recovery_codes: await renewRecoveryCodes(tx, session.userId) };
      }),
  );

  app.delete("/api/account/two-step", guarded, async ({ session }) =>
    change(session, "twoStepOff", async (tx) => {
      const user = await findUser(tx, session.userId);
      if (user && needsSecondFactor(accounts.secondFactorFor, user.email))
        throw new AppError("error_two_step_required");
      await updateUser(tx, session.userId, { isTwoStep: false, totpSecret: null, totpPending: null });
      await dropRecoveryCodes(tx, session.userId);
      return { ok: true };
    }),
  );

  app.post(
    "/api/account/recovery-codes",
    guarded,
    async ({ session }): Promise<RecoveryCodes> =>
      change(session, "codesRenewed", async (tx) => ({ recovery_codes: await renewRecoveryCodes(tx, session.userId) })),
  );

  app.post("/api/account/passkeys/options", guarded, async ({ session }, reply) => {
    requireRecentProof(session);
    const options = await creationOptions(accounts, session.userId);
    const { browser } = await createChallenge(db, "addPasskey", session.userId, options.challenge);
    writeChallenge(reply, browser);
    return options;
  });

  app.post("/api/account/passkeys", guarded, async (request, reply) => {
    const { name, passkey } = parseInput(addPasskeySchema, request.body);
    const { session } = request;
    const challenge = await takeChallenge(db, "addPasskey", sentChallenge(request));
    if (challenge?.userId !== session.userId) throw new AppError("error_passkey_failed");
    const add = await verifyNewPasskey(accounts, passkey, challenge.challenge);
    clearChallenge(reply);
    return change(session, "passkeyAdded", async (tx) => {
      if (!(await closeChallenge(tx, challenge))) throw new AppError("error_passkey_failed");
      await add(tx, session.userId, name);
      return { ok: true };
    });
  });

  app.delete("/api/account/passkeys/:id", { ...guarded, schema: { params: passkeyParams } }, async (request) => {
    const { session, params } = request;
    return change(session, "passkeyRemoved", async (tx) => {
      if (!(await deletePasskey(tx, session.userId, params.id))) throw new AppError("error_not_found");
      await requireWayIn(tx, session.userId);
      return { ok: true };
    });
  });

  app.post("/api/account/google/unlink", guarded, async ({ session }) =>
    change(session, "googleUnlinked", async (tx) => {
      await updateUser(tx, session.userId, { googleSub: null, isGoogleUnlinked: true });
      await requireWayIn(tx, session.userId);
      return { ok: true };
    }),
  );

  /** Changes how the customer signs in: after a recent proof, with a notice by mail. */
  async function change<Answer>(
    session: Session,
    what: SignInChange,
    act: (tx: Tx) => Promise<Answer>,
  ): Promise<Answer> {
    requireRecentProof(session);
    const answer = await db.transactionOf(session.userId, async (tx) => {
      if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
      const result = await act(tx);
      await mailCustomer(tx, session.userId, "secondFactorChanged", { change: what });
      await record(tx, session.userId, browserAs(session), { kind: "signInChanged", params: { change: what } });
      await announceSessions(tx, session.userId);
      await announceChange(tx, session.userId);
      return result;
    });
    forget(session.userId);
    return answer;
  }
}

/** Throws if the customer could not sign in any more. */
async function requireWayIn(tx: Tx, userId: string) {
  const user = await findUser(tx, userId);
  const canSignIn = user?.passwordHash || user?.googleSub || (await listPasskeys(tx, userId)).length > 0;
  if (!canSignIn) throw new AppError("error_last_way_in");
  await endTwoStepWithoutFactor(tx, userId);
}
