import { findUser, linkGoogleSub } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import type { Accounts } from "./Accounts.ts";
import { browserAs } from "./devices.ts";
import { proofMethodsOf, requireRecentProof } from "./proofs.ts";
import { lockOwner, markProven, type Session } from "./sessions.ts";

/** Links a Google account to the customer who is signed in. Its e-mail address may be another one. */
export async function linkGoogle({ db }: Accounts, session: Session, sub: string) {
  requireRecentProof(session);
  const { userId } = session;
  await db.transactionOf(userId, async (tx) => {
    if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
    if (!(await linkGoogleSub(tx, userId, sub))) throw new AppError("error_google_email_taken");
    await mailCustomer(tx, userId, "secondFactorChanged", { change: "googleLinked" });
    await record(tx, userId, browserAs(session), { kind: "signInChanged", params: { change: "googleLinked" } });
    await announceChange(tx, userId);
  });
}

/** Takes a fresh sign-in at Google as proof, for an account that has no other way. */
export async function proveByGoogle(accounts: Accounts, session: Session, sub: string) {
  const { db } = accounts;
  const user = await findUser(db, session.userId);
  const methods = user ? await proofMethodsOf(accounts, user) : [];
  if (user?.googleSub !== sub || !methods.includes("google")) throw new AppError("error_google_failed");
  await markProven(db, session);
}
