import {
  findCredentials,
  type GoogleIdentity,
  linkOrCreateGoogleUser,
  lockUser,
  updateUser,
} from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { countAttempt, forgiveAttempt } from "./attempts.ts";
import { isPassword } from "./passwords.ts";
import { endSession, openSession } from "./sessions.ts";

interface Visitor {
  address: string;
  /** the browser's current session, which the new one replaces */
  oldSession: string | undefined;
}

export async function signInWithPassword(db: Db, email: string, password: string, visitor: Visitor) {
  const byAddress = [{ key: `sign-in ${visitor.address}`, max: 20 }];
  const byBoth = [{ key: `sign-in ${visitor.address} ${email.toLowerCase()}`, max: 10 }];
  await countAttempt(db, byAddress);
  await countAttempt(db, byBoth);
  const user = await findCredentials(db, email);
  if (!(await isPassword(user?.passwordHash, password)) || !user) throw new AppError("error_invalid_credentials");
  await forgiveAttempt(db, [...byAddress, ...byBoth]);

  return db.transaction(async (tx) => {
    // If the password was changed after the check, every session was ended. This sign-in must not create a new one.
    const now = await lockUser(tx, user.id);
    if (now?.passwordHash !== user.passwordHash) throw new AppError("error_invalid_credentials");
    return enter(tx, user.id, visitor);
  });
}

export async function signInWithGoogle(db: Db, identity: GoogleIdentity, visitor: Visitor) {
  return db.transaction(async (tx) => enter(tx, await linkOrCreateGoogleUser(tx, identity), visitor));
}

/** Locks the customer's row before the session's, in the same order as everywhere, to avoid deadlocks. */
async function enter(tx: Tx, userId: string, { oldSession }: Visitor) {
  await updateUser(tx, userId, { lastLogin: new Date() });
  await announceChange(tx, userId);
  if (oldSession) await endSession(tx, oldSession);
  return { userId, token: await openSession(tx, userId) };
}
