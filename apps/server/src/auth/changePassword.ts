import type { ActionPayloads } from "@nido/contract";
import { findUser, updateUser } from "../account/queries.ts";
import type { Db, Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { countAttempt, forgiveAttempt } from "./attempts.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { endOtherSessions, type Session } from "./sessions.ts";

type Payload = ActionPayloads["UPDATE_USER_PASSWORD"];
const freshMinutes = 10;

/**
 * Requires the current password, except in the first ten minutes of a session, so that an unattended browser
 * is not enough to take over the account. Runs outside the transaction: a wrong attempt must be counted even
 * though the action fails.
 */
export async function checkCurrentPassword(db: Db, session: Session, { current_password: current }: Payload) {
  const user = await findUser(db, session.userId);
  if (!user?.passwordHash) return;
  if (!current) {
    const isFresh = Date.now() - session.createdAt.getTime() < freshMinutes * 60_000;
    if (isFresh) return;
    throw new AppError("error_password_current_required");
  }

  const limits = [{ key: `password ${session.userId}`, max: 10 }];
  await countAttempt(db, limits);
  if (!(await isPassword(user.passwordHash, current))) throw new AppError("error_password_current_wrong");
  await forgiveAttempt(db, limits);
}

/** Sets the password and ends the customer's other sessions. */
export async function changePassword(tx: Tx, session: Session, { password }: Payload) {
  await updateUser(tx, session.userId, { passwordHash: await hashPassword(password) });
  await endOtherSessions(tx, session);
}
