import {
  findCredentials,
  type GoogleIdentity,
  linkOrCreateGoogleUser,
  lockUser,
  updateUser,
} from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";
import { AppError } from "../platform/AppError.ts";
import type { Accounts } from "./Accounts.ts";
import { isPassword } from "./passwords.ts";
import { endSession, endSessionsOf, openSession } from "./sessions.ts";

export interface Visitor {
  address: string;
  /** the browser's current session, which the new one replaces */
  oldSession: string | undefined;
}

interface Credentials {
  /** the e-mail address */
  username: string;
  password: string;
}

export async function signInWithPassword(
  db: Db,
  limiter: RateLimiter,
  { username: email, password }: Credentials,
  visitor: Visitor,
) {
  const both = `${visitor.address} ${email.toLowerCase()}`;
  await limiter.take("signInByAddress", visitor.address);
  await limiter.take("signInByAccount", both);
  const user = await findCredentials(db, email);
  if (!(await isPassword(user?.passwordHash, password)) || !user) throw new AppError("error_invalid_credentials");
  await limiter.forgive("signInByAddress", visitor.address);
  await limiter.forgive("signInByAccount", both);

  return db.transactionOf(user.id, async (tx) => {
    // If the password was changed after the check, every session was ended. This sign-in must not create a new one.
    const now = await lockUser(tx, user.id);
    if (now?.passwordHash !== user.passwordHash) throw new AppError("error_invalid_credentials");
    return enter(tx, user.id, visitor);
  });
}

export async function signInWithGoogle({ db, endTokens }: Accounts, identity: GoogleIdentity, visitor: Visitor) {
  return db.transaction(async (tx) => {
    const { id, isTakenOver } = await linkOrCreateGoogleUser(tx, identity);
    if (isTakenOver) {
      await endSessionsOf(tx, id);
      await endTokens(tx, id);
    }
    return enter(tx, id, visitor);
  });
}

/** Locks the customer's row before the session's, in the same order as everywhere, to avoid deadlocks. */
export async function enter(tx: Tx, userId: string, { oldSession }: Visitor) {
  await updateUser(tx, userId, { lastLogin: new Date() });
  await announceChange(tx, userId);
  if (oldSession) await endSession(tx, oldSession);
  return { userId, token: await openSession(tx, userId) };
}
