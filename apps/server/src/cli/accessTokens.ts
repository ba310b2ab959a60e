import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { cliTokens } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";

/** The token of a request. A password change ends `login` tokens. `ci` tokens have a name and are for machines. */
export interface CliToken {
  id: string;
  userId: string;
  kind: "login" | "ci";
}

const loginDays = 180;
const maxNamedTokens = 50;
const isCurrent = or(isNull(cliTokens.expiresAt), gt(cliTokens.expiresAt, sql`now()`));

export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Creates a token and returns its secret, which is stored as a hash only. */
export async function createCliToken(tx: Tx, userId: string, kind: CliToken["kind"], name: string): Promise<string> {
  if (kind === "ci" && (await countNamedTokens(tx, userId)) >= maxNamedTokens) throw new AppError("error_token_limit");
  const secret = `nido_${randomBytes(32).toString("base64url")}`;
  const expiresAt = kind === "login" ? sql`now() + make_interval(days => ${loginDays})` : null;
  await tx.insert(cliTokens).values({ tokenHash: hashSecret(secret), userId, kind, name, expiresAt });
  return secret;
}

function countNamedTokens(tx: Tx, userId: string): Promise<number> {
  return tx.$count(cliTokens, and(eq(cliTokens.userId, userId), eq(cliTokens.kind, "ci")));
}

export function findNamedTokens(db: Db, userId: string) {
  return db
    .select({
      id: cliTokens.id,
      name: cliTokens.name,
      createdAt: cliTokens.createdAt,
      usedAt: cliTokens.lastUsedAt,
    })
    .from(cliTokens)
    .where(and(eq(cliTokens.userId, userId), eq(cliTokens.kind, "ci")))
    .orderBy(desc(cliTokens.createdAt));
}

export async function deleteCliToken(db: Db | Tx, userId: string, id: string): Promise<boolean> {
  const isIt = and(eq(sql`${cliTokens.id}::text`, id), eq(cliTokens.userId, userId));
  const rows = await db.delete(cliTokens).where(isIt).returning({ id: cliTokens.id });
  return rows.length > 0;
}

/** Ends the customer's CLI logins. Named tokens stay: no one sits at a CI machine to log in again. */
export async function endCliLogins(tx: Tx, userId: string) {
  await tx.delete(cliTokens).where(and(eq(cliTokens.userId, userId), eq(cliTokens.kind, "login")));
}

export async function removeExpiredCliTokens(db: Db) {
  await db.delete(cliTokens).where(lt(cliTokens.expiresAt, sql`now()`));
}

/** The valid token with this secret. Records its use, at most once a minute. */
export async function findCliToken(db: Db, secret: string): Promise<CliToken | undefined> {
  const { id, userId, kind, lastUsedAt } = cliTokens;
  const [row] = await db
    .select({ id, userId, kind, lastUsedAt })
    .from(cliTokens)
    .where(and(eq(cliTokens.tokenHash, hashSecret(secret)), isCurrent));
  if (!row) return undefined;
  const isStale = !row.lastUsedAt || Date.now() - row.lastUsedAt.getTime() > 60_000;
  if (isStale) await db.update(cliTokens).set({ lastUsedAt: sql`now()` }).where(eq(cliTokens.id, row.id));
  return row;
}
