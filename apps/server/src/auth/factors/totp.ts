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
  const totpPending = box.seal(secret.base32, purposeOf(userId));
  await db.transactionOf(userId, (tx) => updateUser(tx, userId, { totpPending }));
  return { secret: secret.base32, uri };
}

/** Turns the pending secret into the customer's second factor. */
export async function confirmTotp(tx: Tx, { box }: Accounts, userId: string, code: string) {
  const user = await findUser(tx, userId);
  const step = user?.totpPending && stepOf(box.open(user.totpPending, purposeOf(userId)), code);
  if (!step) throw new AppError("error_verification_wrong");
  const change = {
    totpSecret: user.totpPending,
    totpPending: null,
    totpStep: step,
    totpAt: new Date(),
    isTwoStep: true,
  };
  await updateUser(tx, userId, change);
}

/** Whether the code is right and was not used before. */
export async function isTotpCode({ db, box }: Accounts, user: UserRow, code: string): Promise<boolean> {
  // If ENCRYPTION_KEY was lost, recovery codes still work.
  if (!user.totpSecret || !box.canOpen(user.totpSecret)) return false;
  const secret = box.open(user.totpSecret, purposeOf(user.id));
  const step = stepOf(secret, code);
  // Sealed again each time, so that an earlier ENCRYPTION_KEY can be removed.
  return step ? takeTotpStep(db, user.id, step, box.seal(secret, purposeOf(user.id))) : false;
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
