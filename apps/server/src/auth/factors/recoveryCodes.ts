import { createHash, randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { recoveryCodes } from "../../db/schema.ts";

const count = 10;
// 32 characters without those that look alike.
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** Replaces the customer's recovery codes. 80 random bits each, so that their hashes cannot be reversed. */
export async function renewRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  await dropRecoveryCodes(tx, userId);
  const codes = Array.from({ length: count }, () => {
    const text = Array.from(randomBytes(16), (byte) => letters[byte % letters.length]).join("");
    return (text.match(/.{4}/g) as string[]).join("-");
  });
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hash(code) })));
  return codes;
}

/** Uses a code up. False if the customer has no such one. */
export async function useRecoveryCode(db: Db, userId: string, code: string): Promise<boolean> {
  const rows = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hash(code))))
    .returning({ userId: recoveryCodes.userId });
  return rows.length > 0;
}

export async function dropRecoveryCodes(tx: Tx, userId: string) {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

export function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.$count(recoveryCodes, eq(recoveryCodes.userId, userId));
}

function hash(code: string): Buffer {
  const letters = code.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return createHash("sha256").update(letters).digest();
}
