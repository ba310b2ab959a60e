import type { Proof } from "@nido/contract";
import {
  findCredentials,
  findUser,
  type GoogleIdentity,
  linkOrCreateGoogleUser,
  lockUser,
  updateUser,
} from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Tx } from "../db/connect.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import type { Accounts } from "./Accounts.ts";
import { closeChallenge, createChallenge, findChallenge, takeChallenge } from "./challenges.ts";
import { browserAs, type Device, recogniseDevice } from "./devices.ts";
import { dropFactorsSince } from "./factors/dropFactors.ts";
import { hasPasskey, requestOptions, verifyPasskey } from "./factors/passkeys.ts";
import { isPassword } from "./passwords.ts";
import { ask, checkProof, secondFactorsOf } from "./proofs.ts";
import { endSession, endSessionsOf, openSession } from "./sessions.ts";
import { dropPending } from "./verifications.ts";

export interface Visitor extends Device {
  address: string;
  /** the browser's current session, which the new one replaces */
  oldSession: string | undefined;
}

interface Credentials {
  /** the e-mail address */
  username: string;
  password: string;
}

/** A new session, or the secret of the challenge that the browser must answer first. */
export type Admission = { userId: string; token: string } | { challenge: string };

export async function signInWithPassword(
  accounts: Accounts,
  { username: email, password }: Credentials,
  visitor: Visitor,
): Promise<Admission> {
  const { db, limiter } = accounts;
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
    return admit(accounts, tx, user.id, visitor);
  });
}

export async function signInWithGoogle(
  accounts: Accounts,
  identity: GoogleIdentity,
  visitor: Visitor,
): Promise<Admission> {
  const { db, endTokens } = accounts;
  return db.transaction(async (tx) => {
    const { id, isTakenOver, isLinked, isNew } = await linkOrCreateGoogleUser(tx, identity);
    if (isTakenOver) {
      await dropFactorsSince(tx, id, new Date(0));
      await updateUser(tx, id, { googleSub: identity.sub, isGoogleUnlinked: false });
      await endSessionsOf(tx, id);
      await endTokens(tx, id);
      await dropPending(tx, id);
    }
    if (isLinked) {
      await mailCustomer(tx, id, "secondFactorChanged", { change: "googleLinked" });
      await record(tx, id, browserAs(visitor), { kind: "signInChanged", params: { change: "googleLinked" } });
    }
    if (isNew) await record(tx, id, browserAs(visitor), { kind: "accountCreated", params: {} });
    return admit(accounts, tx, id, visitor);
  });
}

/** Signs in, or asks for the second factor if the account has two-step verification. */
async function admit(accounts: Accounts, tx: Tx, userId: string, visitor: Visitor): Promise<Admission> {
  const user = await findUser(tx, userId);
  if (!user?.isTwoStep) return enter(accounts, tx, userId, visitor);
  const { browser } = await createChallenge(tx, "secondFactor", userId);
  return { challenge: browser };
}

/** What the browser is asked for after the password. */
export async function askSecondFactor(accounts: Accounts, browser: string | undefined) {
  const challenge = await findChallenge(accounts.db, "secondFactor", browser);
  const user = challenge?.userId ? await findUser(accounts.db, challenge.userId) : undefined;
  if (!challenge || !user) throw new AppError("error_sign_in_again");
  return ask(accounts, await secondFactorsOf(accounts, user), challenge);
}

export async function answerSecondFactor(
  accounts: Accounts,
  browser: string | undefined,
  proof: Proof,
  visitor: Visitor,
) {
  const { db } = accounts;
  const challenge = await takeChallenge(db, "secondFactor", browser);
  const user = challenge?.userId ? await findUser(db, challenge.userId) : undefined;
  if (!challenge || !user) throw new AppError("error_sign_in_again");
  await checkProof(accounts, challenge, await secondFactorsOf(accounts, user), proof, browserAs(visitor));
  return db.transactionOf(user.id, async (tx) => {
    await lockUser(tx, user.id);
    // The password may have been reset in the meantime, which drops the challenge.
    if (!(await closeChallenge(tx, challenge))) throw new AppError("error_sign_in_again");
    return enter(accounts, tx, user.id, visitor);
  });
}

/** What the browser needs for a sign-in by passkey alone. */
export async function askPasskey(accounts: Accounts) {
  const { browser, challenge } = await createChallenge(accounts.db, "passkeySignIn", null);
  return { browser, options: await requestOptions(accounts, challenge) };
}

/** A passkey is verified by its device, so it is both factors at once. */
export async function signInWithPasskey(
  accounts: Accounts,
  browser: string | undefined,
  passkey: Extract<Proof, { passkey: unknown }>["passkey"],
  visitor: Visitor,
) {
  const { db } = accounts;
  const challenge = await takeChallenge(db, "passkeySignIn", browser);
  if (!challenge || !(await closeChallenge(db, challenge))) throw new AppError("error_sign_in_again");
  const userId = await verifyPasskey(accounts, passkey, challenge.challenge);
  return db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    // It may have been removed in the meantime.
    if (!(await hasPasskey(tx, userId, passkey.id))) throw new AppError("error_passkey_failed");
    return enter(accounts, tx, userId, visitor);
  });
}

/** Locks the customer's row before the session's, in the same order as everywhere, to avoid deadlocks. */
export async function enter({ sessionDays }: Accounts, tx: Tx, userId: string, visitor: Visitor) {
  await updateUser(tx, userId, { lastLogin: new Date() });
  await announceChange(tx, userId);
  if (visitor.oldSession) await endSession(tx, visitor.oldSession);
  await recogniseDevice(tx, userId, visitor);
  await record(tx, userId, browserAs(visitor), { kind: "signedIn", params: {} });
  return { userId, token: await openSession(tx, userId, visitor, sessionDays) };
}
