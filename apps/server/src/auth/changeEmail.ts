import { findByEmail, findUser, lockUser, replaceEmail, updateUser } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import { mailAddress, mailSecrets } from "../mail/queueMail.ts";
import { minutesOf } from "../mail/templates.ts";
import { AppError } from "../platform/AppError.ts";
import type { Accounts } from "./Accounts.ts";
import { browserAs } from "./devices.ts";
import { dropFactorsSince } from "./factors/dropFactors.ts";
import { mailSubject } from "./mailSubject.ts";
import { announceSessions, endSessionsOf, lockOwner, type Session } from "./sessions.ts";
import type { Visitor } from "./signIn.ts";
import {
  checkCode,
  dropPending,
  dropUndosSince,
  findByToken,
  isBrowserOf,
  issueVerification,
  redeem,
  type Verification,
} from "./verifications.ts";

const undoHours = 72;

/** Factors that were added so long before a change of address are undone with it. */
const suspectHours = 72;

/**
 * Sends a code and a link to the new address, and returns the secret for the browser's cookie. An address that has an
 * account gets the same answer: its owner is told by mail.
 */
export async function requestEmailChange({ db, limiter, box }: Accounts, session: Session, email: string) {
  const { userId } = session;
  await limiter.take("mailRequests", userId);
  await limiter.take("mailRequests", mailSubject(email));
  return db.transactionOf(userId, async (tx) => {
    if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
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

/** Who gives a link: the browser that asked, or a session. */
interface Giver {
  browser: string | undefined;
  session: Session | undefined;
  visitor: Visitor;
}

/** Changes the address, and gives the old one 72 hours to undo it. Returns the customer. */
export async function confirmEmailChange(
  accounts: Accounts,
  given: { code: string } | { token: string },
  giver: Giver,
): Promise<string> {
  const { db, box, onEmailChanged } = accounts;
  const verification =
    "code" in given
      ? await checkCode(accounts, "changeEmail", giver.browser ?? "", given.code)
      : await findByLink(accounts, given.token, giver);
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
    await record(tx, userId, browserAs(giver.visitor), {
      kind: "emailChanged",
      params: { from: old.email, to: email },
    });
    await onEmailChanged(tx, userId);
    await announceSessions(tx, userId);
    await announceChange(tx, userId);
    return userId;
  });
}

/** The link works for whoever asked only: the owner of the address must not confirm a stranger's account with it. */
async function findByLink({ db }: Accounts, token: string, { browser, session }: Giver) {
  const verification = await findByToken(db, "changeEmail", token);
  if (!verification || isBrowserOf(verification, browser) || session?.userId === verification.userId)
    return verification;
  throw new AppError("error_link_elsewhere");
}

/**
 * Undoes a change that the owner did not make. Whoever made it could sign in, so every session, token and the password
 * end, and with them the ways to sign in that were added shortly before or after. The owner gets a link for a new
 * password. The right to undo an earlier change remains: its address is the older one.
 */
export async function undoEmailChange(accounts: Accounts, given: string, visitor: Visitor): Promise<string> {
  const { db, box, endTokens, onEmailChanged } = accounts;
  const verification = await findByToken(db, "undoEmail", given);
  if (!verification) throw new AppError("error_link_invalid");
  const { userId, email, createdAt } = { ...verification, ...withUser(verification) };
  const since = new Date(createdAt.getTime() - suspectHours * 60 * 60 * 1000);
  return db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    if (!(await redeem(tx, verification))) throw new AppError("error_link_invalid");
    if (!(await replaceEmail(tx, userId, email))) throw new AppError("error_email_taken");
    await updateUser(tx, userId, { passwordHash: null });
    await dropFactorsSince(tx, userId, since);
    await endSessionsOf(tx, userId);
    await endTokens(tx, userId);
    await dropPending(tx, userId);
    await dropUndosSince(tx, userId, createdAt);
    const fields = { purpose: "resetPassword", email, userId } as const;
    const { token } = await issueVerification(tx, fields, minutesOf.resetPassword);
    const lang = (await findUser(tx, userId))?.lang ?? "es";
    await mailSecrets(tx, box, { email, lang, userId }, "resetPassword", { secrets: { token } });
    await record(tx, userId, browserAs(visitor), { kind: "emailRestored", params: { to: email } });
    await onEmailChanged(tx, userId);
    await announceChange(tx, userId);
    return userId;
  });
}

function withUser({ userId, email }: Verification) {
  if (!userId) throw new AppError("error_link_invalid");
  return { userId, email };
}
