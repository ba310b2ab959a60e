import { randomBytes, randomInt } from "node:crypto";
import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { toolGrants } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";
import { hashOf, insertToken } from "./accessTokens.ts";

const codeSeconds = 60;
export const deviceSeconds = 600;
const isCurrent = gt(toolGrants.expiresAt, sql`now()`);
const inSeconds = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;
// Without vowels and what looks alike: no words, and nothing to mistake.
const letters = "BCDFGHJKLMNPQRSTVWXZ";

/** Leave for a tool on the machine of the browser: the code goes to its loopback address. */
export async function giveLeave(db: Db, userId: string, { challenge, tool }: { challenge: string; tool: string }) {
  const code = randomBytes(32).toString("base64url");
  const expiresAt = inSeconds(codeSeconds);
  await db.insert(toolGrants).values({ codeHash: hashOf(code), challenge, tool, userId, expiresAt });
  return code;
}

/** Takes that leave, once: whoever has only seen the code go by does not know what the challenge was made of. */
export async function takeLeave(db: Db, code: string, verifier: string): Promise<string> {
  return db
    .transaction(async (tx) => {
      const [grant] = await tx
        .delete(toolGrants)
        .where(and(eq(toolGrants.codeHash, hashOf(code)), isNull(toolGrants.userCode), isCurrent))
        .returning();
      const isAnswered = grant?.challenge === hashOf(verifier).toString("base64url");
      if (!grant?.userId || !isAnswered) return undefined;
      return insertToken(tx, grant.userId, "login", grant.tool);
    })
    .then((token) => {
      // Thrown outside: a wrong answer uses the code up.
      if (!token) throw new AppError("error_code_invalid");
      return token;
    });
}

/** A code for the customer to type in a browser elsewhere, and one for the tool to ask with. */
export async function openDevice(db: Db, tool: string) {
  const deviceCode = randomBytes(32).toString("base64url");
  const typed = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("");
  const userCode = `${typed.slice(0, 4)}-${typed.slice(4)}`;
  const expiresAt = inSeconds(deviceSeconds);
  await db.insert(toolGrants).values({ codeHash: hashOf(deviceCode), userCode, tool, expiresAt });
  return { deviceCode, userCode };
}

/** Which tool shows this code. */
export async function findDevice(db: Db, userCode: string): Promise<string> {
  const [row] = await db.select({ tool: toolGrants.tool }).from(toolGrants).where(waits(userCode));
  if (!row) throw new AppError("error_code_invalid");
  return row.tool;
}

export async function answerDevice(db: Db, userId: string, userCode: string, isAllowed: boolean) {
  const rows = await db
    .update(toolGrants)
    .set(isAllowed ? { userId } : { isDenied: true })
    .where(waits(userCode))
    .returning({ tool: toolGrants.tool });
  if (rows.length === 0) throw new AppError("error_code_invalid");
}

function waits(userCode: string) {
  return and(eq(toolGrants.userCode, userCode), isNull(toolGrants.userId), eq(toolGrants.isDenied, false), isCurrent);
}

/** What the tool waits for; throws while nobody has answered. */
export async function takeDevice(db: Db, deviceCode: string): Promise<string> {
  return db.transaction(async (tx) => {
    const [grant] = await tx
      .select()
      .from(toolGrants)
      .where(and(eq(toolGrants.codeHash, hashOf(deviceCode)), isNotNull(toolGrants.userCode)))
      .for("update");
    if (!grant || grant.expiresAt < new Date()) throw new AppError("error_code_expired");
    if (grant.isDenied) throw new AppError("error_code_denied");
    if (!grant.userId) throw new AppError("error_code_pending");
    await tx.delete(toolGrants).where(eq(toolGrants.codeHash, grant.codeHash));
    return insertToken(tx, grant.userId, "login", grant.tool);
  });
}

export async function removeExpiredGrants(db: Db | Tx) {
  await db.delete(toolGrants).where(lt(toolGrants.expiresAt, sql`now()`));
}

export async function removeGrantsOf(tx: Tx, userId: string) {
  await tx.delete(toolGrants).where(eq(toolGrants.userId, userId));
}
