import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import { ssoTokens } from "../db/schema.ts";

/** Gives leave to enter a site, once, within a minute. The token itself is not kept. */
export async function giveToken(db: Db, projectId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.insert(ssoTokens).values({ tokenHash: hash(token), projectId, expiresAt: sql`now() + interval '1 minute'` });
  return token;
}

/** Whether the token was good for this site. Of many who come with it at the same moment, one hears yes. */
export async function takeToken(db: Db, projectId: string, token: string): Promise<boolean> {
  const taken = await db
    .delete(ssoTokens)
    .where(
      and(
        eq(ssoTokens.tokenHash, hash(token)),
        eq(ssoTokens.projectId, projectId),
        gt(ssoTokens.expiresAt, sql`now()`),
      ),
    )
    .returning({ projectId: ssoTokens.projectId });
  return taken.length > 0;
}

export async function removeExpiredTokens(db: Db) {
  await db.delete(ssoTokens).where(lt(ssoTokens.expiresAt, sql`now()`));
}

function hash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
