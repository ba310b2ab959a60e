import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, inArray, lt, ne, sql } from "drizzle-orm";
import { lockUser } from "../account/queries.ts";
import type { Db, Tx } from "../db/connect.ts";
import { sessions } from "../db/schema.ts";
import { NotifiedCache } from "../platform/NotifiedCache.ts";

export interface Session {
  /** the SHA-256 of the token, in hexadecimal; it identifies a session but does not open it */
  id: string;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
}

export const sessionDays = 30;
export const sessionsChannel = "nido_sessions";

/** The signed-in sessions, cached until a NOTIFY says that a customer's sessions changed. */
export class Sessions {
  private readonly db: Db;
  private readonly cache: NotifiedCache<Session>;

  constructor(db: Db, isListening: () => boolean) {
    this.db = db;
    this.cache = new NotifiedCache(isListening);
  }

  async find(id: string): Promise<Session | undefined> {
    const session = await this.cache.get(id, () => this.read(id));
    return session && session.expiresAt > new Date() ? session : undefined;
  }

  forgetOf(userId: string) {
    this.cache.forgetWhere((session) => session.userId === userId);
  }

  forgetAll() {
    this.cache.forgetAll();
  }

  /** Which of these sessions have not ended, read from the database. */
  async findActive(ids: string[]): Promise<Set<string>> {
    const hashes = ids.map((id) => Buffer.from(id, "hex"));
    const rows = await this.db
      .select({ tokenHash: sessions.tokenHash })
      .from(sessions)
      .where(and(inArray(sessions.tokenHash, hashes), gt(sessions.expiresAt, sql`now()`)));
    return new Set(rows.map((row) => row.tokenHash.toString("hex")));
  }

  private async read(id: string): Promise<Session | undefined> {
    const [row] = await this.db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, Buffer.from(id, "hex")));
    return row && { id, userId: row.userId, createdAt: row.createdAt, expiresAt: row.expiresAt };
  }
}

/** Locks the session's customer for this transaction; false if the session has ended. */
export async function lockOwner(tx: Tx, { id, userId }: Session): Promise<boolean> {
  await lockUser(tx, userId);
  // Checked after the lock is held: the transaction we waited for may have ended the session.
  const isIt = and(eq(sessions.tokenHash, Buffer.from(id, "hex")), gt(sessions.expiresAt, sql`now()`));
  const rows = await tx.select({ userId: sessions.userId }).from(sessions).where(isIt);
  return rows.length > 0;
}

export function sessionId(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Creates a session and returns its token, which only the browser has. */
export async function openSession(tx: Tx, userId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await tx.insert(sessions).values({
    tokenHash: Buffer.from(sessionId(token), "hex"),
    userId,
    expiresAt: sql`now() + make_interval(days => ${sessionDays})`,
  });
  return token;
}

/** Ends a session and returns its customer. */
export async function endSession(tx: Tx, id: string): Promise<string | undefined> {
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.tokenHash, Buffer.from(id, "hex")))
    .returning({ userId: sessions.userId });
  if (ended) await announceSessions(tx, ended.userId);
  return ended?.userId;
}

export async function endOtherSessions(tx: Tx, { id, userId }: Session) {
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, Buffer.from(id, "hex"))));
  await announceSessions(tx, userId);
}

export async function endSessionsOf(tx: Tx, userId: string) {
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await announceSessions(tx, userId);
}

function announceSessions(tx: Tx, userId: string) {
  return tx.execute(sql`select pg_notify(${sessionsChannel}, ${userId})`);
}

export async function removeExpiredSessions(db: Db) {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}
