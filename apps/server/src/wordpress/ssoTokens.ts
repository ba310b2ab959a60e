import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import { ssoTokens } from "../db/schema.ts";

/** Issues a token that signs its owner in to a site once, within a minute. Only its hash is stored. */
export async function issueSsoToken(db: Db, projectId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.insert(ssoTokens).values({ tokenHash: hash(token), projectId, expiresAt: sql`now() + interval '1 minute'` });
  return token;
}

/** Uses up a token; false if it is not valid for this site. Of concurrent calls with one token, one succeeds. */
export async function redeemSsoToken(db: Db, projectId: string, token: string): Promise<boolean> {
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

export async function removeExpiredSsoTokens(db: Db) {
  await db.delete(ssoTokens).where(lt(ssoTokens.expiresAt, sql`now()`));
}

function hash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
