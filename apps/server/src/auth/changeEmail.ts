import { findByEmail, findUser, lockUser, replaceEmail, updateUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import { mailAddress, mailSecrets } from "../mail/queueMail.ts";
import { minutesOf } from "../mail/templates.ts";
import { AppError } from "../platform/AppError.ts";
import type { Accounts } from "./Accounts.ts";
import { deletePasskeysSince } from "./factors/passkeys.ts";
import { endSessionsOf, type Session } from "./sessions.ts";
import { checkCode, dropAll, findByToken, issueVerification, redeem, type Verification } from "./verifications.ts";

const undoHours = 72;

/**
 * Sends a code and a link to the new address, and returns the secret for the browser's cookie. An address that has an
 * account gets the same answer: its owner is told by mail.
 */
export async function requestEmailChange({ db, limiter, box }: Accounts, { userId }: Session, email: string) {
  await limiter.take("mailRequests", userId);
  await limiter.take("mailRequests", email.toLowerCase());
  return db.transaction(async (tx) => {
    const owner = await findByEmail(tx, email);
    const asker = await findUser(tx, userId);
    const lang = asker?.lang ?? "es";
    const fields = { purpose: "changeEmail", email, userId, isDecoy: owner !== undefined } as const;
    const { token, code, browser } = await issueVerification(tx, fields, minutesOf.confirmNewEmail);
    if (owner) await mailAddress(tx, { email: owner.email, lang: owner.lang, userId: owner.id }, "newEmailTaken", {});
    else await mailSecrets(tx, box, { email, lang, userId }, "confirmNewEmail", { secrets: { code, token } });
    return browser;
  });
}

/** Changes the address, and gives the old one 72 hours to undo it. Returns the customer. */
export async function confirmEmailChange(
  accounts: Accounts,
  given: { code: string } | { token: string },
  browser: string | undefined,
): Promise<string> {
  const { db, box, onEmailChanged } = accounts;
  const verification =
    "code" in given
      ? await checkCode(db, "changeEmail", browser ?? "", given.code)
      : await findByToken(db, "changeEmail", given.token);
  if (!verification) throw new AppError("code" in given ? "error_verification_wrong" : "error_link_invalid");
  const { userId, email } = withUser(verification);
  return db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    const old = await findUser(tx, userId);
    if (!old || !(await redeem(tx, verification))) throw new AppError("error_link_invalid");
    if (!(await replaceEmail(tx, userId, email))) throw new AppError("error_email_taken");
    const undo = { purpose: "undoEmail", email: old.email, userId } as const;
    const { token } = await issueVerification(tx, undo, undoHours * 60);
    const to = { email: old.email, lang: old.lang, userId };
    await mailSecrets(tx, box, to, "emailChanged", { newEmail: email, secrets: { token } });
    await onEmailChanged(tx, userId);
    await announceChange(tx, userId);
    return userId;
  });
}

/**
 * Undoes a change that the owner did not make. Whoever made it could sign in, so every session, token and the password
 * end; the owner gets a link for a new one.
 */
export async function undoEmailChange(accounts: Accounts, given: string): Promise<string> {
  const { db, box, endTokens, onEmailChanged } = accounts;
  const verification = await findByToken(db, "undoEmail", given);
  if (!verification) throw new AppError("error_link_invalid");
  const { userId, email } = withUser(verification);
  return db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    if (!(await redeem(tx, verification))) throw new AppError("error_link_invalid");
    if (!(await replaceEmail(tx, userId, email))) throw new AppError("error_email_taken");
    await updateUser(tx, userId, { passwordHash: null });
    await deletePasskeysSince(tx, userId, verification.createdAt);
    await endSessionsOf(tx, userId);
    await endTokens(tx, userId);
    await dropAll(tx, userId);
    const fields = { purpose: "resetPassword", email, userId } as const;
    const { token } = await issueVerification(tx, fields, minutesOf.resetPassword);
    const lang = (await findUser(tx, userId))?.lang ?? "es";
    await mailSecrets(tx, box, { email, lang, userId }, "resetPassword", { secrets: { token } });
    await onEmailChanged(tx, userId);
    await announceChange(tx, userId);
    return userId;
  });
}

function withUser({ userId, email }: Verification) {
  if (!userId) throw new AppError("error_link_invalid");
  return { userId, email };
}
