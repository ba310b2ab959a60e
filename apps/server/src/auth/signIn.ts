import { findCredentials, type GoogleIdentity, linkOrCreateGoogleUser, updateUser } from "../account/queries.ts";
import type { Db, Tx } from "../db/connect.ts";
import { AppError } from "../http/AppError.ts";
import { announceChange } from "../remote/announceChange.ts";
import { countAttempt, forgiveAttempt } from "./attempts.ts";
import { isPassword } from "./passwords.ts";
import { endSession, openSession } from "./sessions.ts";

interface Visitor {
  address: string;
  /** the session this browser already has, which the new one replaces */
  oldSession: string | undefined;
}

export async function signInWithPassword(db: Db, email: string, password: string, visitor: Visitor) {
  const limits = [
    { key: `sign-in ${visitor.address} ${email.toLowerCase()}`, most: 10 },
    { key: `sign-in ${visitor.address}`, most: 20 },
  ];
  await countAttempt(db, limits);
  const user = await findCredentials(db, email);
  if (!(await isPassword(user?.passwordHash, password)) || !user) throw new AppError("error_invalid_credentials");
  await forgiveAttempt(db, limits);
  return db.transaction((tx) => enter(tx, user.id, visitor));
}

export async function signInWithGoogle(db: Db, identity: GoogleIdentity, visitor: Visitor) {
  return db.transaction(async (tx) => enter(tx, await linkOrCreateGoogleUser(tx, identity), visitor));
}

async function enter(tx: Tx, userId: string, { oldSession }: Visitor) {
  if (oldSession) await endSession(tx, oldSession);
  await updateUser(tx, userId, { lastLogin: new Date() });
  await announceChange(tx, userId);
  return { userId, token: await openSession(tx, userId) };
}
