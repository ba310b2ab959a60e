import type { TotpSetup } from "@nido/contract";
import { Secret, TOTP } from "otpauth";
import { findUser, takeTotpStep, type UserRow, updateUser } from "../../account/queries.ts";
import type { Tx } from "../../db/connect.ts";
import { AppError } from "../../platform/AppError.ts";
import type { Accounts } from "../Accounts.ts";

const periodSeconds = 30;

/** A new secret for the customer's authenticator app. It counts once they have typed a code of it. */
export async function beginTotp({ db, box, brand }: Accounts, userId: string): Promise<TotpSetup> {
  const user = await findUser(db, userId);
  if (!user) throw new AppError("error_signed_out");
  const secret = new Secret({ size: 20 });
  const uri = new TOTP({ issuer: brand, label: user.email, secret }).toString();
  await db.transaction((tx) => updateUser(tx, userId, { totpPending: box.seal(secret.base32, purposeOf(userId)) }));
  return { secret: secret.base32, uri };
}

/** Turns the pending secret into the customer's second factor. */
export async function confirmTotp(tx: Tx, { box }: Accounts, userId: string, code: string) {
  const user = await findUser(tx, userId);
  const step = user?.totpPending && stepOf(box.open(user.totpPending, purposeOf(userId)), code);
  if (!step) throw new AppError("error_verification_wrong");
  const change = { totpSecret: user.totpPending, totpPending: null, totpStep: step, isTwoStep: true };
  await updateUser(tx, userId, change);
}

/** Whether the code is right and was not used before. */
export async function isTotpCode({ db, box }: Accounts, user: UserRow, code: string): Promise<boolean> {
  const step = user.totpSecret && stepOf(box.open(user.totpSecret, purposeOf(user.id)), code);
  return step ? takeTotpStep(db, user.id, step) : false;
}

/** The time step that a code belongs to: the current one or a neighbour, for clocks that differ. */
function stepOf(secret: string, code: string): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: periodSeconds });
  const delta = totp.validate({ token: code, window: 1 });
  return delta === null ? undefined : TOTP.counter({ period: periodSeconds }) + delta;
}

function purposeOf(userId: string): string {
  return `authenticator app of ${userId}`;
}
