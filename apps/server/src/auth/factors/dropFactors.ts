import { and, eq, gte } from "drizzle-orm";
import { findUser, updateUser } from "../../account/queries.ts";
import type { Tx } from "../../db/connect.ts";
import { passkeys, recoveryCodes } from "../../db/schema.ts";
import { listPasskeys } from "./passkeys.ts";

/** Removes the ways to sign in that were added since a moment, for an owner who takes their account back. */
export async function dropFactorsSince(tx: Tx, userId: string, since: Date) {
  const user = await findUser(tx, userId);
  await tx.delete(passkeys).where(and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since)));
  await tx.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), gte(recoveryCodes.createdAt, since)));
  const isRecent = (moment: Date | null | undefined) => moment && moment >= since;
  await updateUser(tx, userId, {
    totpPending: null,
    ...(isRecent(user?.totpAt) && { totpSecret: null }),
    ...(isRecent(user?.googleLinkedAt) && { googleSub: null, isGoogleUnlinked: true }),
  });
  await endTwoStepWithoutFactor(tx, userId);
}

/** Without a second factor, two-step verification would lock the customer out. */
export async function endTwoStepWithoutFactor(tx: Tx, userId: string) {
  const user = await findUser(tx, userId);
  if (!user?.isTwoStep || user.totpSecret || (await listPasskeys(tx, userId)).length > 0) return;
  await updateUser(tx, userId, { isTwoStep: false });
}
