import { createHash, randomBytes } from "node:crypto";
import { passwordHours } from "@nido/contract";
import { and, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { projects, siteAccess } from "../../db/schema.ts";

export type AccessRow = typeof siteAccess.$inferSelect;

const isValid = or(isNull(siteAccess.expiresAt), gt(siteAccess.expiresAt, sql`now()`));

export function findAccess(db: Db | Tx, projectId: string): Promise<AccessRow[]> {
  return db
    .select()
    .from(siteAccess)
    .where(and(eq(siteAccess.projectId, projectId), isValid))
    .orderBy(siteAccess.createdAt);
}

/** A new password, which replaces the one of before. Only its hash is stored. */
export async function makePassword(tx: Tx, projectId: string): Promise<{ password: string; until: Date }> {
  const password = randomBytes(18).toString("base64url");
  const until = new Date(Date.now() + passwordHours * 3_600_000);
  await tx.delete(siteAccess).where(and(eq(siteAccess.projectId, projectId), isNull(siteAccess.publicKey)));
  await tx.insert(siteAccess).values({ projectId, hash: hashOf(password), expiresAt: until });
  return { password, until };
}

/** False if there is none. */
export async function removePassword(tx: Tx, projectId: string): Promise<boolean> {
  const isIt = and(eq(siteAccess.projectId, projectId), isNull(siteAccess.publicKey));
  return (await tx.delete(siteAccess).where(isIt).returning({ id: siteAccess.id })).length > 0;
}

/** False if the site has the key already. */
export async function addKey(tx: Tx, projectId: string, name: string, publicKey: Buffer): Promise<boolean> {
  const rows = await tx
    .insert(siteAccess)
    .values({ projectId, name, hash: hashOf(publicKey), publicKey: publicKey.toString("base64") })
    .onConflictDoNothing()
    .returning({ id: siteAccess.id });
  return rows.length > 0;
}

/** Returns the key's name; undefined if there is no such key. */
export async function removeKey(tx: Tx, projectId: string, id: string): Promise<string | undefined> {
  const isIt = and(
    eq(siteAccess.projectId, projectId),
    eq(sql`${siteAccess.id}::text`, id),
    isNotNull(siteAccess.publicKey),
  );
  const [row] = await tx.delete(siteAccess).where(isIt).returning({ name: siteAccess.name });
  return row?.name;
}

export function findByPassword(db: Db, projectId: string, password: string): Promise<AccessRow | undefined> {
  return findBySecret(db, projectId, password, isNull(siteAccess.publicKey));
}

export function findByKey(db: Db, projectId: string, publicKey: Buffer): Promise<AccessRow | undefined> {
  return findBySecret(db, projectId, publicKey, isNotNull(siteAccess.publicKey));
}

async function findBySecret(db: Db, projectId: string, secret: string | Buffer, isOfKind: SQL) {
  const isIt = and(eq(siteAccess.projectId, projectId), eq(siteAccess.hash, hashOf(secret)), isOfKind, isValid);
  const [row] = await db.select().from(siteAccess).where(isIt);
  return row;
}

/** Those of the ids that still give access. */
export async function findValid(db: Db, ids: string[]): Promise<Set<string>> {
  const isIt = and(inArray(siteAccess.id, ids), isValid);
  const rows = await db.select({ id: siteAccess.id }).from(siteAccess).where(isIt);
  return new Set(rows.map(({ id }) => id));
}

export async function markUsed(db: Db, { id }: AccessRow) {
  await db.update(siteAccess).set({ lastUsedAt: sql`now()` }).where(eq(siteAccess.id, id));
}

/** Ends the access to all sites of a customer, together with their other keys. */
export async function endAccess(tx: Tx, userId: string) {
  const own = tx.select({ id: projects.id }).from(projects).where(eq(projects.userId, userId));
  await tx.delete(siteAccess).where(inArray(siteAccess.projectId, own));
}

export async function removeExpiredAccess(db: Db) {
  await db.delete(siteAccess).where(lt(siteAccess.expiresAt, sql`now()`));
}

function hashOf(secret: string | Buffer): Buffer {
  return createHash("sha256").update(secret).digest();
}
