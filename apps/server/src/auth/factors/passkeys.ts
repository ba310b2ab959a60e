import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { isoUint8Array } from "@simplewebauthn/server/helpers";
import { and, asc, eq, lt, or, sql } from "drizzle-orm";
import { findUser } from "../../account/queries.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { passkeys } from "../../db/schema.ts";
import { AppError } from "../../platform/AppError.ts";
import type { Accounts } from "../Accounts.ts";

const maxPasskeys = 20;
type PasskeyRow = typeof passkeys.$inferSelect;

/** What the browser needs to create a passkey. */
export async function creationOptions({ db, brand, appUrl }: Accounts, userId: string) {
  const user = await findUser(db, userId);
  if (!user) throw new AppError("error_signed_out");
  const own = await listPasskeys(db, userId);
  return generateRegistrationOptions({
    rpName: brand,
    rpID: appUrl.hostname,
    userName: user.email,
    userID: isoUint8Array.fromUTF8String(userId),
    excludeCredentials: own.map(({ id }) => ({ id })),
    // Discoverable and verified by the device, so that it replaces password and second factor.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** What the browser needs to use a passkey: any that it has, or one of these. */
export function requestOptions({ appUrl }: Accounts, challenge: string, own: PasskeyRow[] = []) {
  return generateAuthenticationOptions({
    rpID: appUrl.hostname,
    challenge: Buffer.from(challenge, "base64url"),
    userVerification: "required",
    ...(own.length > 0 && { allowCredentials: own.map(({ id, transports }) => ({ id, transports })) }),
  });
}

/** Checks a new passkey. Returns what adds it, for a transaction. */
export async function verifyNewPasskey(
  { appUrl }: Accounts,
  response: RegistrationResponseJSON,
  expectedChallenge: string,
) {
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: appUrl.origin,
    expectedRPID: appUrl.hostname,
  }).catch((cause) => {
    throw new AppError("error_passkey_failed", { cause });
  });
  if (!result.verified) throw new AppError("error_passkey_failed");
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
  return async (tx: Tx, userId: string, name: string) => {
    if ((await tx.$count(passkeys, eq(passkeys.userId, userId))) >= maxPasskeys)
      throw new AppError("error_too_many_requests");
    const rows = await tx
      .insert(passkeys)
      .values({ id, userId, name, publicKey: Buffer.from(publicKey), counter, transports })
      .onConflictDoNothing()
      .returning({ id: passkeys.id });
    if (rows.length === 0) throw new AppError("error_passkey_failed");
  };
}

/** The customer whose passkey signed the challenge. */
export async function verifyPasskey(
  { db, appUrl }: Accounts,
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
): Promise<string> {
  const [passkey] = await db.select().from(passkeys).where(eq(passkeys.id, response.id));
  if (!passkey) throw new AppError("error_passkey_failed");
  const { id, publicKey, counter } = passkey;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: appUrl.origin,
    expectedRPID: appUrl.hostname,
    credential: { id, publicKey: new Uint8Array(publicKey), counter },
  }).catch((cause) => {
    throw new AppError("error_passkey_failed", { cause });
  });
  if (!verified || !(await recordUse(db, id, authenticationInfo.newCounter)))
    throw new AppError("error_passkey_failed");
  return passkey.userId;
}

/** Compare-and-set of the counter: of two uses of a cloned passkey, one fails. Synced passkeys always send 0. */
async function recordUse(db: Db, id: string, newCounter: number): Promise<boolean> {
  const isNewer = newCounter === 0 ? eq(passkeys.counter, 0) : or(lt(passkeys.counter, newCounter));
  const rows = await db
    .update(passkeys)
    .set({ counter: newCounter, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, id), isNewer))
    .returning({ id: passkeys.id });
  return rows.length > 0;
}

export function listPasskeys(db: Db | Tx, userId: string): Promise<PasskeyRow[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt));
}

/** Its name; undefined if the customer has no such passkey. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<string | undefined> {
  const [row] = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.id, id)))
    .returning({ name: passkeys.name });
  return row?.name;
}

export async function hasPasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  return (await tx.$count(passkeys, and(eq(passkeys.userId, userId), eq(passkeys.id, id)))) > 0;
}
