import type { ActionPayloads } from "@nido/contract";
import { findUser, updateUser } from "../account/queries.ts";
import type { Db, Tx } from "../db/connect.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { isRecent, requireRecentProof } from "./proofs.ts";
import { endOtherSessions, type Session } from "./sessions.ts";
import { dropPending } from "./verifications.ts";

type Payload = ActionPayloads["UPDATE_USER_PASSWORD"];

/**
 * Requires the current password or a recent sign-in, so that an unattended browser is not enough to take over the
 * account. Without a password, and with two-step verification, only a recent proof counts. Runs outside the transaction: a wrong
 * attempt must be counted even though the action fails.
 */
export async function checkCurrentPassword(
  db: Db,
  limiter: RateLimiter,
  session: Session,
  { current_password: current }: Payload,
) {
  const user = await findUser(db, session.userId);
  if (user && (!user.passwordHash || user.isTwoStep)) return requireRecentProof(session);
  if (!current && isRecent(session.provenAt)) return;
  if (!current || !user) throw new AppError("error_password_current_required");

  await limiter.take("currentPassword", session.userId);
  if (!(await isPassword(user.passwordHash, current))) throw new AppError("error_password_current_wrong");
  await limiter.forgive("currentPassword", session.userId);
}

/** Hashes the new password. Returns the rest, for a transaction: sets it and ends the customer's other sessions. */
export async function changePassword(session: Session, { password }: Payload) {
  // Hashed before the transaction, which would otherwise hold a connection during the hashing.
  const passwordHash = await hashPassword(password);
  return async (tx: Tx) => {
    await updateUser(tx, session.userId, { passwordHash });
    await endOtherSessions(tx, session);
    await dropPending(tx, session.userId);
    await mailCustomer(tx, session.userId, "passwordChanged", {});
  };
}
