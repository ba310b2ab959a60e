import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { challenges } from "../db/schema.ts";

export type Challenge = typeof challenges.$inferSelect;
type Purpose = Challenge["purpose"];

const lifetimeMinutes = 10;
const maxTries = 5;

/** Creates a question, and returns the secret for the browser's cookie. */
export async function createChallenge(
  db: Db | Tx,
  purpose: Purpose,
  userId: string | null,
  challenge = newChallenge(),
) {
  const browser = randomBytes(32).toString("base64url");
  const expiresAt = sql`now() + make_interval(mins => ${lifetimeMinutes})`;
  await db.insert(challenges).values({ browserHash: hash(browser), purpose, userId, challenge, expiresAt });
  return { browser, challenge };
}

export async function findChallenge(db: Db, purpose: Purpose, browser: string | undefined) {
  const [row] = await db.select().from(challenges).where(isIt(purpose, browser));
  return row;
}

/** The question that an answer is for. The attempt is counted first, so that no number of processes gets more. */
export async function takeChallenge(db: Db, purpose: Purpose, browser: string | undefined) {
  const [row] = await db
    .update(challenges)
    .set({ tries: sql`${challenges.tries} + 1` })
    .where(and(isIt(purpose, browser), lt(challenges.tries, maxTries)))
    .returning();
  return row;
}

/** Uses it up. False if another request was faster. */
export async function closeChallenge(tx: Db | Tx, { browserHash }: Challenge): Promise<boolean> {
  const rows = await tx
    .delete(challenges)
    .where(eq(challenges.browserHash, browserHash))
    .returning({ purpose: challenges.purpose });
  return rows.length > 0;
}

/** Sign-ins that are under way are lost, too: the password may have been replaced. */
export async function dropChallenges(tx: Tx, userId: string) {
  await tx.delete(challenges).where(eq(challenges.userId, userId));
}

export async function removeExpiredChallenges(db: Db) {
  await db.delete(challenges).where(lt(challenges.expiresAt, sql`now()`));
}

function isIt(purpose: Purpose, browser: string | undefined) {
  return and(
    eq(challenges.browserHash, hash(browser ?? "")),
    eq(challenges.purpose, purpose),
    gt(challenges.expiresAt, sql`now()`),
  );
}

function newChallenge(): string {
  return randomBytes(32).toString("base64url");
}

function hash(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
