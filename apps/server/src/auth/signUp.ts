import type { Language } from "@nido/contract";
import { findByEmail, insertUser } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import type { Db, Tx } from "../db/connect.ts";
import { mailAddress, mailCustomer, mailSecrets } from "../mail/queueMail.ts";
import { minutesOf } from "../mail/templates.ts";
import { AppError } from "../platform/AppError.ts";
import type { Accounts } from "./Accounts.ts";
import { browserAs } from "./devices.ts";
import { mailSubject } from "./mailSubject.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { enter, type Visitor } from "./signIn.ts";
import {
  checkCode,
  findByBrowser,
  findByToken,
  isBrowserOf,
  issueVerification,
  redeem,
  renewSecrets,
  takeTry,
  type Verification,
} from "./verifications.ts";

export interface NewAccount {
  email: string;
  password: string;
  lang: Language;
  /** where the visitor goes on afterwards */
  returnTo: string;
}

/**
 * Begins a sign-up, and returns the secret for the browser's cookie. The account is created when the address is confirmed.
 * An address that has an account costs the same work and gets the same answer: its owner is told by mail.
 */
export async function requestSignUp(
  { db, limiter, box }: Accounts,
  { email, password, lang, returnTo }: NewAccount,
  network: string,
) {
  await limiter.take("mailRequestsFrom", `${network} ${mailSubject(email)}`);
  await limiter.take("mailRequests", mailSubject(email));
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const owner = await findByEmail(tx, email);
    const isDecoy = owner !== undefined;
    const signUp = { passwordHash, lang, returnTo };
    const issued = await issueVerification(tx, { purpose: "signUp", email, isDecoy, signUp }, minutesOf.confirmAddress);
    await mailSignUp(tx, box, { email, lang, owner }, issued);
    return issued.browser;
  });
}

/** Sends another code. The answer is the same if there is nothing to send. */
export async function resendSignUp({ db, limiter, box }: Accounts, browser: string) {
  const pending = await findByBrowser(db, "signUp", browser);
  if (!pending) return;
  await limiter.take("mailRequests", mailSubject(pending.email));
  await db.transaction(async (tx) => {
    const renewed = await renewSecrets(tx, "signUp", browser);
    const { email, signUp } = renewed?.verification ?? {};
    if (!renewed || !email || !signUp) return;
    await mailSignUp(tx, box, { email, lang: signUp.lang, owner: await findByEmail(tx, email) }, renewed);
  });
}

interface Applicant {
  email: string;
  lang: Language;
  owner: { id: string; email: string; lang: Language } | undefined;
}

async function mailSignUp(
  tx: Tx,
  box: Accounts["box"],
  { email, lang, owner }: Applicant,
  { token, code }: { token: string; code: string },
) {
  if (owner) await mailAddress(tx, { email: owner.email, lang: owner.lang, userId: owner.id }, "alreadyRegistered", {});
  else await mailSecrets(tx, box, { email, lang }, "confirmAddress", { secrets: { code, token } });
}

/** A confirmation: by the code in the browser that began, or by the link anywhere. */
export type Confirmation = { code: string } | { token: string; password?: string | undefined };

/** Creates the account and signs in. Returns where the visitor goes on. */
export async function confirmSignUp(
  accounts: Accounts,
  given: Confirmation,
  browser: string | undefined,
  visitor: Visitor,
) {
  const { db } = accounts;
  const verification =
    "code" in given
      ? await checkCode(accounts, "signUp", browser ?? "", given.code)
      : await findByLink(db, given, browser);
  if (!verification) throw new AppError("code" in given ? "error_verification_wrong" : "error_link_invalid");
  const { email, signUp } = verification;
  return db.transaction(async (tx) => {
    const { passwordHash, lang, returnTo } = signUp as NonNullable<typeof signUp>;
    const isFirst = await redeem(tx, verification);
    const userId = isFirst && (await insertUser(tx, { email, passwordHash, lang, emailConfirmedAt: new Date() }));
    // Lost a race: against the same confirmation, or against a sign-up with Google.
    if (!userId) throw new AppError("error_link_invalid");
    await mailCustomer(tx, userId, "welcome", {});
    await record(tx, userId, browserAs(visitor), { kind: "accountCreated", params: {} });
    return { ...(await enter(accounts, tx, userId, visitor)), returnTo };
  });
}

/**
 * In another browser, the link needs the password as well: otherwise a stranger could sign up with the address and a
 * password of their own, and the owner of the address would open that account for them.
 */
async function findByLink(
  db: Db,
  { token, password }: { token: string; password?: string | undefined },
  browser: string | undefined,
): Promise<Verification | undefined> {
  const verification = await findByToken(db, "signUp", token);
  if (!verification || isBrowserOf(verification, browser)) return verification;
  if (password === undefined) throw new AppError("error_password_needed");
  if (!(await takeTry(db, verification))) return undefined;
  if (!(await isPassword(verification.signUp?.passwordHash, password))) throw new AppError("error_invalid_credentials");
  return verification;
}
