import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { and, eq, gt, gte, lt, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { verifications } from "../db/schema.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";

export type Verification = typeof verifications.$inferSelect;
type Purpose = Verification["purpose"];
type Fields = Pick<typeof verifications.$inferInsert, "purpose" | "email" | "userId" | "isDecoy" | "signUp">;

/** How often a wrong code, or a wrong password with a link, may be given. */
const maxTries = 5;
const isCurrent = gt(verifications.expiresAt, sql`now()`);

/** The secrets of a new verification: link and code go into the message, `browser` into a cookie. */
export interface Issued {
  token: string;
  code: string;
  browser: string;
}

export async function issueVerification(tx: Tx, fields: Fields, minutes: number): Promise<Issued> {
  const token = randomBytes(32).toString("base64url");
  const browser = randomBytes(32).toString("base64url");
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  await tx.insert(verifications).values({
    ...fields,
    tokenHash: hash(token),
    browserHash: hash(browser),
    codeHash: hashCode(browser, code),
    expiresAt: sql`now() + make_interval(mins => ${minutes})`,
  });
  return { token, code, browser };
}

/** The verification that this link belongs to. It can still be redeemed. */
export async function findByToken(db: Db, purpose: Purpose, token: string): Promise<Verification | undefined> {
  const isIt = and(eq(verifications.tokenHash, hash(token)), eq(verifications.purpose, purpose), isCurrent);
  const [row] = await db.select().from(verifications).where(isIt);
  return row?.isDecoy ? undefined : row;
}

/** What this browser waits for. */
export async function findByBrowser(db: Db, purpose: Purpose, browser: string): Promise<Verification | undefined> {
  const isIt = and(eq(verifications.browserHash, hash(browser)), eq(verifications.purpose, purpose), isCurrent);
  const [row] = await db.select().from(verifications).where(isIt);
  return row;
}

export function isBrowserOf({ browserHash }: Verification, browser: string | undefined): boolean {
  return browser !== undefined && browserHash !== null && timingSafeEqual(hash(browser), browserHash);
}

/**
 * The verification of this browser, if the code is right. The attempt is counted before the comparison, so that no
 * number of processes gets more attempts. A decoy costs the same.
 */
export async function checkCode({ db, limiter }: Limited, purpose: Purpose, browser: string, code: string) {
  const isIt = and(eq(verifications.browserHash, hash(browser)), eq(verifications.purpose, purpose));
  const row = await countTry(db, and(isIt, isCurrent));
  // Over all sign-ups of an address: somebody may begin many, to guess the code of one of them.
  if (row) await limiter.take("codeTries", row.email.toLowerCase());
  const isRight = row?.codeHash && timingSafeEqual(row.codeHash, hashCode(browser, code));
  return isRight && !row.isDecoy ? row : undefined;
}

interface Limited {
  db: Db;
  limiter: RateLimiter;
}

/** Counts an attempt. False if there are none left. */
export async function takeTry(db: Db, { id }: Verification): Promise<boolean> {
  return (await countTry(db, eq(verifications.id, id))) !== undefined;
}

async function countTry(db: Db, isIt: ReturnType<typeof and>) {
  const [row] = await db
    .update(verifications)
    .set({ tries: sql`${verifications.tries} + 1` })
    .where(and(isIt, lt(verifications.tries, maxTries)))
    .returning();
  return row;
}

/** Uses a verification up. False if another request was faster. */
export async function redeem(tx: Tx, { id }: Verification): Promise<boolean> {
  const rows = await tx.delete(verifications).where(eq(verifications.id, id)).returning({ id: verifications.id });
  return rows.length > 0;
}

/** Another code and link for the same browser. The tries so far still count. */
export async function renewSecrets(tx: Tx, purpose: Purpose, browser: string) {
  const token = randomBytes(32).toString("base64url");
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const [row] = await tx
    .update(verifications)
    .set({ tokenHash: hash(token), codeHash: hashCode(browser, code) })
    .where(and(eq(verifications.browserHash, hash(browser)), eq(verifications.purpose, purpose), isCurrent))
    .returning();
  return row && { verification: row, token, code };
}

/** Drops what is pending for a customer, except the right to undo a change of address. */
export async function dropPending(tx: Tx, userId: string) {
  await tx.delete(verifications).where(and(eq(verifications.userId, userId), ne(verifications.purpose, "undoEmail")));
}

/** Drops the right to undo this change of address, and later ones. */
export async function dropUndosSince(tx: Tx, userId: string, since: Date) {
  const isIt = and(eq(verifications.userId, userId), eq(verifications.purpose, "undoEmail"));
  await tx.delete(verifications).where(and(isIt, gte(verifications.createdAt, since)));
}

export async function removeExpiredVerifications(db: Db) {
  await db.delete(verifications).where(lt(verifications.expiresAt, sql`now()`));
}

function hash(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Six digits are guessed in no time, so the hash needs the browser's secret, which the database does not have. */
function hashCode(browser: string, code: string): Buffer {
  return createHmac("sha256", browser).update(code).digest();
}
