import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { FastifyRequest } from "fastify";
import type { Db, Tx } from "../db/connect.ts";
import { toolTokens } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";

/** Who asks with a token. */
export interface Tool {
  id: string;
  userId: string;
  kind: "login" | "ci";
}

declare module "fastify" {
  interface FastifyRequest {
    /** set by `requireTool` */
    tool: Tool;
  }
}

const loginDays = 180;
const mostNamed = 50;
const isCurrent = or(isNull(toolTokens.expiresAt), gt(toolTokens.expiresAt, sql`now()`));

export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Gives a tool a way in and returns it: only the tool keeps it. */
export async function insertToken(tx: Tx, userId: string, kind: Tool["kind"], name: string): Promise<string> {
  if (kind === "ci" && (await countNamed(tx, userId)) >= mostNamed) throw new AppError("error_token_limit");
  const token = `nido_${randomBytes(32).toString("base64url")}`;
  const expiresAt = kind === "login" ? sql`now() + make_interval(days => ${loginDays})` : null;
  await tx.insert(toolTokens).values({ tokenHash: hashOf(token), userId, kind, name, expiresAt });
  return token;
}

function countNamed(tx: Tx, userId: string): Promise<number> {
  return tx.$count(toolTokens, and(eq(toolTokens.userId, userId), eq(toolTokens.kind, "ci")));
}

/** The named ones of a customer. */
export function findNamed(db: Db, userId: string) {
  return db
    .select({
      id: toolTokens.id,
      name: toolTokens.name,
      createdAt: toolTokens.createdAt,
      usedAt: toolTokens.lastUsedAt,
    })
    .from(toolTokens)
    .where(and(eq(toolTokens.userId, userId), eq(toolTokens.kind, "ci")))
    .orderBy(desc(toolTokens.createdAt));
}

export async function deleteToken(db: Db | Tx, userId: string, id: string): Promise<boolean> {
  const isIt = and(eq(sql`${toolTokens.id}::text`, id), eq(toolTokens.userId, userId));
  const rows = await db.delete(toolTokens).where(isIt).returning({ id: toolTokens.id });
  return rows.length > 0;
}

/** Named tokens stay: they are for machines that nobody could sign in again. */
export async function endLogins(tx: Tx, userId: string) {
  await tx.delete(toolTokens).where(and(eq(toolTokens.userId, userId), eq(toolTokens.kind, "login")));
}

/** A guard that lets tools in and puts on the request who they are. */
export function requireTool(db: Db) {
  return async (request: FastifyRequest) => {
    const [, token] = /^Bearer (nido_[\w-]{43})$/.exec(request.headers.authorization ?? "") ?? [];
    const tool = token && (await findTool(db, token));
    if (!tool) throw new AppError("error_signed_out");
    request.tool = tool;
  };
}

async function findTool(db: Db, token: string): Promise<Tool | undefined> {
  const { id, userId, kind, lastUsedAt } = toolTokens;
  const [row] = await db
    .select({ id, userId, kind, lastUsedAt })
    .from(toolTokens)
    .where(and(eq(toolTokens.tokenHash, hashOf(token)), isCurrent));
  if (!row) return undefined;
  const isOld = !row.lastUsedAt || Date.now() - row.lastUsedAt.getTime() > 60_000;
  if (isOld) await db.update(toolTokens).set({ lastUsedAt: sql`now()` }).where(eq(toolTokens.id, row.id));
  return row;
}
