import { randomBytes, randomInt } from "node:crypto";
import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { lockUser } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { requireRecentProof } from "../auth/proofs.ts";
import { lockOwner, type Session } from "../auth/sessions.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { cliGrants } from "../db/schema.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import { createCliToken, hashSecret, loginDays } from "./accessTokens.ts";

const codeSeconds = 60;
export const deviceSeconds = 600;
const isCurrent = gt(cliGrants.expiresAt, sql`now()`);
const inSeconds = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;
// No vowels, so that no words appear, and no letters that look alike.
const letters = "BCDFGHJKLMNPQRSTVWXZ";

/** Loopback login (RFC 8252): the browser passes this one-time code to the CLI on the same machine. */
export async function createLoopbackGrant(
  db: Db,
  session: Session,
  { challenge, machine }: { challenge: string; machine: string },
) {
  const { userId, provenAt: signedInAt } = session;
  const code = randomBytes(32).toString("base64url");
  const expiresAt = inSeconds(codeSeconds);
  const grant = { codeHash: hashSecret(code), challenge, machine, userId, signedInAt, expiresAt };
  await asOwner(db, session, (tx) => tx.insert(cliGrants).values(grant));
  return code;
}

/** Under the customer's lock, and only while the session has not ended: a reset ends grants and tokens alike. */
function asOwner<Result>(db: Db, session: Session, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  requireRecentProof(session);
  return db.transactionOf(session.userId, async (tx) => {
    if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
    return work(tx);
  });
}

/** Creates the token of a grant. The customer is locked before the grant is deleted, as everywhere. */
async function createLogin(tx: Tx, { userId, machine, signedInAt }: typeof cliGrants.$inferSelect): Promise<string> {
  const token = await createCliToken(tx, userId as string, {
    kind: "login",
    name: machine,
    signedInAt,
    days: loginDays,
  });
  await mailCustomer(tx, userId as string, "tokenCreated", { name: machine, project: null });
  const actor = { kind: "token", name: machine, place: "" } as const;
  await record(tx, userId as string, actor, { kind: "tokenCreated", params: { token: machine } });
  await announceChange(tx, userId as string);
  return token;
}

/** Exchanges the code for a token, once. PKCE: only the CLI that began the login knows the verifier. */
export async function redeemLoopbackGrant(db: Db, code: string, verifier: string): Promise<string> {
  return db
    .transaction(async (tx) => {
      const isIt = and(eq(cliGrants.codeHash, hashSecret(code)), isNull(cliGrants.userCode), isCurrent);
      const [found] = await tx.select().from(cliGrants).where(isIt);
      if (found?.userId) await lockUser(tx, found.userId);
      const [grant] = await tx.delete(cliGrants).where(isIt).returning();
      const isAnswered = grant?.challenge === hashSecret(verifier).toString("base64url");
      return grant?.userId && isAnswered ? createLogin(tx, grant) : undefined;
    })
    .then((token) => {
      // Thrown outside the transaction, so that a wrong verifier still uses up the code.
      if (!token) throw new AppError("error_code_invalid");
      return token;
    });
}

/** Device login (RFC 8628): the customer types `userCode` in any browser while the CLI polls with `deviceCode`. */
export async function createDeviceGrant(db: Db, machine: string) {
  const deviceCode = randomBytes(32).toString("base64url");
  const typed = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("");
  const userCode = `${typed.slice(0, 4)}-${typed.slice(4)}`;
  const expiresAt = inSeconds(deviceSeconds);
  await db.insert(cliGrants).values({ codeHash: hashSecret(deviceCode), userCode, machine, expiresAt });
  return { deviceCode, userCode };
}

/** The name of the machine that shows this user code. */
export async function findDeviceGrant(db: Db, userCode: string): Promise<string> {
  const [row] = await db.select({ machine: cliGrants.machine }).from(cliGrants).where(isPending(userCode));
  if (!row) throw new AppError("error_code_invalid");
  return row.machine;
}

export async function decideDeviceGrant(db: Db, session: Session, userCode: string, isAllowed: boolean) {
  const { userId, provenAt: signedInAt } = session;
  const decide = (tx: Tx | Db) =>
    tx
      .update(cliGrants)
      .set(isAllowed ? { userId, signedInAt } : { isDenied: true })
      .where(isPending(userCode))
      .returning({ machine: cliGrants.machine });
  const rows = isAllowed ? await asOwner(db, session, decide) : await decide(db);
  if (rows.length === 0) throw new AppError("error_code_invalid");
}

function isPending(userCode: string) {
  return and(eq(cliGrants.userCode, userCode), isNull(cliGrants.userId), eq(cliGrants.isDenied, false), isCurrent);
}

/** Exchanges the device code for a token; throws `error_code_pending` until the customer has decided. */
export async function redeemDeviceGrant(db: Db, deviceCode: string): Promise<string> {
  return db.transaction(async (tx) => {
    const isIt = and(eq(cliGrants.codeHash, hashSecret(deviceCode)), isNotNull(cliGrants.userCode));
    const [found] = await tx.select().from(cliGrants).where(isIt);
    if (found?.userId) await lockUser(tx, found.userId);
    const [grant] = await tx.select().from(cliGrants).where(isIt).for("update");
    if (!grant || grant.expiresAt < new Date()) throw new AppError("error_code_expired");
    if (grant.isDenied) throw new AppError("error_code_denied");
    if (!grant.userId) throw new AppError("error_code_pending");
    await tx.delete(cliGrants).where(eq(cliGrants.codeHash, grant.codeHash));
    return createLogin(tx, grant);
  });
}

export async function removeExpiredGrants(db: Db | Tx) {
  await db.delete(cliGrants).where(lt(cliGrants.expiresAt, sql`now()`));
}

export async function removeGrantsOfUser(tx: Tx, userId: string) {
  await tx.delete(cliGrants).where(eq(cliGrants.userId, userId));
}
