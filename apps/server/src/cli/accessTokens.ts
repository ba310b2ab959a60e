import { createHash, randomBytes } from "node:crypto";
import type { Actor } from "@nido/contract";
import { and, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { lockUser } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { cliTokens, deploys, projects } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";

/** The token of a request. A password change ends `login` tokens. `ci` tokens have a name and are for machines. */
export interface CliToken {
  id: string;
  userId: string;
  kind: "login" | "ci";
  name: string;
  /** the only project that it reaches; null: all of the customer's */
  projectId: string | null;
  access: "publish" | "read";
  /** when the customer who granted a login had signed in to the dashboard */
  signedInAt: Date | null;
}

export interface NewCliToken {
  kind: CliToken["kind"];
  name: string;
  projectId?: string | null;
  access?: CliToken["access"];
  signedInAt?: Date | null;
  days: number;
}

export const loginDays = 180;
const maxNamedTokens = 50;

export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Creates a token and returns its secret, which is stored as a hash only. */
export async function createCliToken(tx: Tx, userId: string, { days, ...token }: NewCliToken): Promise<string> {
  if (token.kind === "ci" && (await countNamedTokens(tx, userId)) >= maxNamedTokens)
    throw new AppError("error_token_limit");
  const secret = `nido_${randomBytes(32).toString("base64url")}`;
  const expiresAt = sql`now() + make_interval(days => ${days})`;
  await tx.insert(cliTokens).values({ ...token, tokenHash: hashSecret(secret), userId, expiresAt });
  return secret;
}

function countNamedTokens(tx: Tx, userId: string): Promise<number> {
  return tx.$count(cliTokens, and(eq(cliTokens.userId, userId), eq(cliTokens.kind, "ci"), isCurrent));
}

const isCurrent = gt(cliTokens.expiresAt, sql`now()`);

export function findNamedTokens(db: Db, userId: string) {
  return findTokens(db, userId, eq(cliTokens.kind, "ci"));
}

/** The customer's valid tokens, the newest first. */
export function findTokens(db: Db, userId: string, isKind?: SQL) {
  return db
    .select({
      id: cliTokens.id,
      kind: cliTokens.kind,
      name: cliTokens.name,
      project: projects.name,
      access: cliTokens.access,
      createdAt: cliTokens.createdAt,
      usedAt: cliTokens.lastUsedAt,
      expiresAt: cliTokens.expiresAt,
    })
    .from(cliTokens)
    .leftJoin(projects, eq(projects.id, cliTokens.projectId))
    .where(and(eq(cliTokens.userId, userId), isKind, isCurrent))
    .orderBy(desc(cliTokens.createdAt));
}

/** Ends a token of the customer, which is recorded. */
export async function revokeCliToken(db: Db, userId: string, actor: Actor, id: string) {
  await db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    const isIt = and(eq(sql`${cliTokens.id}::text`, id), eq(cliTokens.userId, userId));
    const [token] = await tx.delete(cliTokens).where(isIt).returning({ name: cliTokens.name });
    if (!token) throw new AppError("error_not_found");
    await record(tx, userId, actor, { kind: "tokenRevoked", params: { token: token.name } });
    await announceChange(tx, userId);
  });
}

/** Ends the customer's CLI logins. Named tokens stay: no one sits at a CI machine to log in again. */
export async function endCliLogins(tx: Tx, userId: string) {
  await tx.delete(cliTokens).where(and(eq(cliTokens.userId, userId), eq(cliTokens.kind, "login")));
}

/** Whether a token has not been revoked, for a check under the customer's lock. */
export async function isToken(tx: Tx, { id }: Pick<CliToken, "id">): Promise<boolean> {
  return (await tx.$count(cliTokens, eq(cliTokens.id, id))) > 0;
}

/** Ends all of the customer's tokens, those for CI included. */
export async function endCliTokens(tx: Tx, userId: string) {
  await tx.delete(cliTokens).where(eq(cliTokens.userId, userId));
}

export async function removeExpiredCliTokens(db: Db) {
  await db.delete(cliTokens).where(lt(cliTokens.expiresAt, sql`now()`));
}

/** The valid token with this secret. Records its use, at most once a minute. */
export async function findCliToken(db: Db, secret: string): Promise<CliToken | undefined> {
  const { id, userId, kind, name, projectId, access, signedInAt, lastUsedAt } = cliTokens;
  const [row] = await db
    .select({ id, userId, kind, name, projectId, access, signedInAt, lastUsedAt })
    .from(cliTokens)
    .where(and(eq(cliTokens.tokenHash, hashSecret(secret)), isCurrent));
  if (!row) return undefined;
  const isStale = !row.lastUsedAt || Date.now() - row.lastUsedAt.getTime() > 60_000;
  if (isStale) await db.update(cliTokens).set({ lastUsedAt: sql`now()` }).where(eq(cliTokens.id, row.id));
  return row;
}

type Scope = Pick<CliToken, "projectId" | "access">;

/** Throws unless the token may publish to this project. A project outside its scope counts as unknown. */
export async function requireProjectAccess(db: Db, token: Scope, projectName: string) {
  if (token.projectId) {
    const isIt = and(eq(projects.id, token.projectId), eq(projects.name, projectName));
    if ((await db.$count(projects, isIt)) === 0) throw new AppError("error_project_not_found");
  }
  if (token.access === "read") throw new AppError("error_token_scope");
}

/** The same for the project of a deploy. */
export async function requireDeployAccess(db: Db, token: Scope, deployId: string) {
  if (token.projectId) {
    const isIt = and(eq(sql`${deploys.id}::text`, deployId), eq(deploys.projectId, token.projectId));
    if ((await db.$count(deploys, isIt)) === 0) throw new AppError("error_deploy_not_found");
  }
  if (token.access === "read") throw new AppError("error_token_scope");
}
