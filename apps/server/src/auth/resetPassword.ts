import type { Language } from "@nido/contract";
import { findByEmail, lockUser, updateUser } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import { mailAddress, mailCustomer, mailSecrets } from "../mail/queueMail.ts";
import { minutesOf } from "../mail/templates.ts";
import { AppError } from "../platform/AppError.ts";
import type { Accounts } from "./Accounts.ts";
import { browserAs } from "./devices.ts";
import { mailSubject } from "./mailSubject.ts";
import { hashPassword } from "./passwords.ts";
import { endSessionsOf } from "./sessions.ts";
import type { Visitor } from "./signIn.ts";
import { dropPending, findByToken, issueVerification, redeem } from "./verifications.ts";

/** Sends a link to choose a new password. An unknown address costs the same work, and is told by mail. */
export async function requestReset({ db, limiter, box }: Accounts, email: string, lang: Language, network: string) {
  await limiter.take("mailRequestsFrom", `${network} ${mailSubject(email)}`);
  await limiter.take("mailRequests", mailSubject(email));
  await db.transaction(async (tx) => {
    const owner = await findByEmail(tx, email);
    const userId = owner?.id ?? null;
    const fields = { purpose: "resetPassword", email, userId, isDecoy: !owner } as const;
    const { token } = await issueVerification(tx, fields, minutesOf.resetPassword);
    if (owner) {
      const to = { email: owner.email, lang: owner.lang, userId: owner.id };
      await mailSecrets(tx, box, to, "resetPassword", { secrets: { token } });
    } else await mailAddress(tx, { email, lang }, "noAccount", {});
  });
}

export async function isResetLink({ db }: Accounts, token: string): Promise<boolean> {
  return (await findByToken(db, "resetPassword", token)) !== undefined;
}

/** Sets the new password. All sessions and tokens end: whoever knew the old password is out. Returns the customer. */
export async function finishReset(
  { db, endTokens }: Accounts,
  token: string,
  password: string,
  visitor: Visitor,
): Promise<string> {
  const verification = await findByToken(db, "resetPassword", token);
  const userId = verification?.userId;
  if (!userId) throw new AppError("error_link_invalid");
  const passwordHash = await hashPassword(password);
  return db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    if (!(await redeem(tx, verification))) throw new AppError("error_link_invalid");
    // The link was sent to this address, so it is confirmed.
    await updateUser(tx, userId, { passwordHash, emailConfirmedAt: new Date() });
    await endSessionsOf(tx, userId);
    await endTokens(tx, userId);
    await dropPending(tx, userId);
    await mailCustomer(tx, userId, "passwordChanged", {});
    await record(tx, userId, browserAs(visitor), { kind: "passwordReset", params: {} });
    await announceChange(tx, userId);
    return userId;
  });
}
