import type { Actor, Proof, ProofMethod, ProofQuestion } from "@nido/contract";
import { findUser, type UserRow } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import type { Accounts } from "./Accounts.ts";
import type { Challenge } from "./challenges.ts";
import { listPasskeys, requestOptions, verifyPasskey } from "./factors/passkeys.ts";
import { useRecoveryCode } from "./factors/recoveryCodes.ts";
import { isTotpCode } from "./factors/totp.ts";
import { isPassword } from "./passwords.ts";

const recentMinutes = 10;

/** Throws unless the customer proved who they are a few minutes ago. For actions whose effect outlasts a stolen session. */
export function requireRecentProof({ provenAt }: { provenAt: Date }) {
  if (!isRecent(provenAt)) throw new AppError("error_proof_needed");
}

export function isRecent(moment: Date): boolean {
  return Date.now() - moment.getTime() <= recentMinutes * 60_000;
}

/** The second factors of an account. */
export async function secondFactorsOf({ db }: Accounts, user: UserRow): Promise<ProofMethod[]> {
  const hasPasskey = (await listPasskeys(db, user.id)).length > 0;
  return [...(hasPasskey ? (["passkey"] as const) : []), ...(user.totpSecret ? (["totp"] as const) : []), "recovery"];
}

/** How a signed-in customer can prove who they are. With two-step verification, only by a second factor. */
export async function proofMethodsOf(accounts: Accounts, user: UserRow): Promise<ProofMethod[]> {
  if (user.isTwoStep) return secondFactorsOf(accounts, user);
  const hasPasskey = (await listPasskeys(accounts.db, user.id)).length > 0;
  const methods: [ProofMethod, boolean][] = [
    ["passkey", hasPasskey],
    ["password", user.passwordHash !== null],
    // Google may answer for an open session there, so it counts only if there is nothing better.
    ["google", user.googleSub !== null && user.passwordHash === null && !hasPasskey],
  ];
  return methods.filter(([, has]) => has).map(([method]) => method);
}

export async function ask(
  accounts: Accounts,
  methods: ProofMethod[],
  { userId, challenge }: Pick<Challenge, "userId" | "challenge">,
): Promise<ProofQuestion> {
  if (!methods.includes("passkey") || !userId) return { methods };
  return { methods, passkey: await requestOptions(accounts, challenge, await listPasskeys(accounts.db, userId)) };
}

/** Checks the answer to a challenge; throws if it is wrong, or not one of the methods. */
export async function checkProof(
  accounts: Accounts,
  { userId, challenge }: Pick<Challenge, "userId" | "challenge">,
  methods: ProofMethod[],
  proof: Proof,
  actor: Actor,
) {
  const { db, limiter } = accounts;
  const user = userId ? await findUser(db, userId) : undefined;
  if (!user) throw new AppError("error_signed_out");
  // By customer: an attacker who knows the password could begin again and again.
  await limiter.take("secondFactor", user.id);
  const isRight = await isProof(accounts, user, challenge, methods, proof);
  if (!isRight) throw new AppError("password" in proof ? "error_password_current_wrong" : "error_verification_wrong");
  await limiter.forgive("secondFactor", user.id);
  if ("recovery_code" in proof) await tellUseOfCode(db, user.id, actor);
}

/** A recovery code is rarely used, so it may be a stranger. */
async function tellUseOfCode(db: Db, userId: string, actor: Actor) {
  const params = { change: "recoveryCodeUsed" } as const;
  await db.transaction(async (tx) => {
    await mailCustomer(tx, userId, "secondFactorChanged", params);
    await record(tx, userId, actor, { kind: "signInChanged", params });
    await announceChange(tx, userId);
  });
}

async function isProof(
  accounts: Accounts,
  user: UserRow,
  challenge: string,
  methods: ProofMethod[],
  proof: Proof,
): Promise<boolean> {
  if ("passkey" in proof)
    return methods.includes("passkey") && (await verifyPasskey(accounts, proof.passkey, challenge)) === user.id;
  if ("code" in proof) return methods.includes("totp") && isTotpCode(accounts, user, proof.code);
  if ("recovery_code" in proof)
    return methods.includes("recovery") && useRecoveryCode(accounts.db, user.id, proof.recovery_code);
  return methods.includes("password") && isPassword(user.passwordHash, proof.password);
}
