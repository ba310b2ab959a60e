import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { lockUser } from "../account/queries.ts";
import type { Db, Tx } from "../db/connect.ts";
import { sessions, users } from "../db/schema.ts";
import { NotifiedCache } from "../platform/NotifiedCache.ts";
import { dropChallenges } from "./challenges.ts";

export interface Session {
  /** the SHA-256 of the token, in hexadecimal; it identifies a session but does not open it */
  id: string;
  userId: string;
  createdAt: Date;
  /** when the customer last proved who they are */
  provenAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  /** the User-Agent header at the sign-in */
  userAgent: string;
  /** the network of the current request: an address prefix */
  place: string;
  /** The account needs a second factor and has none yet: the session can only add one. */
  isRestricted: boolean;
  /** The account is closed: the session can only reopen it, or download its data. */
  isClosed: boolean;
}

export interface SessionLifetimes {
  /** at most this long after the sign-in */
  days: number;
  /** ends after this long without a request */
  idleDays: number;
}

/** Whether the account with this address must have a second factor. `entries`: addresses, or `@domain` for all of a domain. */
export function needsSecondFactor(entries: string[], email: string): boolean {
  const address = email.toLowerCase();
  return entries.some((entry) => (entry.startsWith("@") ? address.endsWith(entry) : address === entry));
}

export const sessionsChannel = "nido_sessions";
/** `last_seen_at` is written at most this often. */
const seenPrecisionMs = 10 * 60_000;
/** Of one customer. The one that was not used for the longest time ends. */
const maxSessions = 100;
const dayMs = 24 * 60 * 60 * 1000;

/** The signed-in sessions, cached until a NOTIFY says that a customer's sessions changed. */
export class Sessions {
  private readonly db: Db;
  private readonly cache: NotifiedCache<Session>;
  private readonly lifetimes: SessionLifetimes;
  private readonly secondFactorFor: string[];

  constructor(db: Db, isListening: () => boolean, lifetimes: SessionLifetimes, secondFactorFor: string[]) {
    this.db = db;
    this.cache = new NotifiedCache(isListening);
    this.lifetimes = lifetimes;
    this.secondFactorFor = secondFactorFor;
  }

  async find(id: string): Promise<Session | undefined> {
    const session = await this.cache.get(id, () => this.read(id));
    if (!session || !this.isActive(session)) return undefined;
    if (Date.now() - session.lastSeenAt.getTime() > seenPrecisionMs) {
      session.lastSeenAt = new Date();
      await this.touch([id]);
    }
    return session;
  }

  forgetOf(userId: string) {
    this.cache.forgetWhere((session) => session.userId === userId);
  }

  forgetAll() {
    this.cache.forgetAll();
  }

  /** Which of these sessions have not ended, read from the database. They have an open dashboard, so they are in use. */
  async findActive(ids: string[]): Promise<Set<string>> {
    const rows = await this.db
      .select({ tokenHash: sessions.tokenHash, lastSeenAt: sessions.lastSeenAt })
      .from(sessions)
      .where(and(inArray(sessions.tokenHash, ids.map(hashOf)), isCurrent(this.lifetimes)));
    const stale = rows.filter(({ lastSeenAt }) => Date.now() - lastSeenAt.getTime() > seenPrecisionMs);
    if (stale.length > 0) await this.touch(stale.map(({ tokenHash }) => tokenHash.toString("hex")));
    return new Set(rows.map((row) => row.tokenHash.toString("hex")));
  }

  /** The customer's sessions, the last used first. */
  listOf(userId: string) {
    return this.db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isCurrent(this.lifetimes)))
      .orderBy(desc(sessions.lastSeenAt));
  }

  private async touch(ids: string[]) {
    await this.db
      .update(sessions)
      .set({ lastSeenAt: sql`now()` })
      .where(inArray(sessions.tokenHash, ids.map(hashOf)));
  }

  private isActive({ expiresAt, lastSeenAt }: Session): boolean {
    return Date.now() < Math.min(expiresAt.getTime(), lastSeenAt.getTime() + this.lifetimes.idleDays * dayMs);
  }

  private async read(id: string): Promise<Session | undefined> {
    const { userId, createdAt, provenAt, lastSeenAt, expiresAt, userAgent, place } = sessions;
    const [row] = await this.db
      .select({
        session: { userId, createdAt, provenAt, lastSeenAt, expiresAt, userAgent, place },
        email: users.email,
        isTwoStep: users.isTwoStep,
        closedAt: users.closedAt,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.tokenHash, hashOf(id)));
    if (!row) return undefined;
    const isRestricted = !row.isTwoStep && needsSecondFactor(this.secondFactorFor, row.email);
    return { id, ...row.session, isRestricted, isClosed: row.closedAt !== null };
  }
}

function isCurrent({ idleDays }: SessionLifetimes): SQL | undefined {
  return and(
    gt(sessions.expiresAt, sql`now()`),
    gt(sessions.lastSeenAt, sql`now() - make_interval(days => ${idleDays})`),
  );
}

function hashOf(id: string): Buffer {
  return Buffer.from(id, "hex");
}

/** Locks the session's customer for this transaction; false if the session has ended. */
export async function lockOwner(tx: Tx, { id, userId }: Session): Promise<boolean> {
  await lockUser(tx, userId);
  // Checked after the lock is held: the transaction we waited for may have ended the session.
  const isIt = and(eq(sessions.tokenHash, hashOf(id)), gt(sessions.expiresAt, sql`now()`));
  const rows = await tx.select({ userId: sessions.userId }).from(sessions).where(isIt);
  return rows.length > 0;
}

export function sessionId(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Creates a session and returns its token, which only the browser has. */
export async function openSession(
  tx: Tx,
  userId: string,
  { userAgent, place }: { userAgent: string; place: string },
  days: number,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await tx.execute(sql`delete from ${sessions} where user_id = ${userId} and token_hash not in (
    select token_hash from ${sessions} where user_id = ${userId} order by last_seen_at desc limit ${maxSessions - 1})`);
  await tx.insert(sessions).values({
    tokenHash: hashOf(sessionId(token)),
    userId,
    userAgent,
    place,
    expiresAt: sql`now() + make_interval(days => ${days})`,
  });
  return token;
}

/** Records that the customer has just proved who they are. */
export async function markProven(db: Db, { id, userId }: Session) {
  await db
    .update(sessions)
    .set({ provenAt: sql`now()` })
    .where(eq(sessions.tokenHash, hashOf(id)));
  await announceSessions(db, userId);
}

/** Ends a session and returns its customer. */
export async function endSession(tx: Tx, id: string): Promise<string | undefined> {
  return (await endWhere(tx, eq(sessions.tokenHash, hashOf(id))))?.userId;
}

/** Ends one of the customer's own sessions and returns it. */
export function endOwnSession(tx: Tx, userId: string, id: string) {
  return endWhere(tx, and(eq(sessions.userId, userId), eq(sessions.tokenHash, hashOf(id))));
}

async function endWhere(tx: Tx, isIt: SQL | undefined) {
  const { userId, userAgent } = sessions;
  const [ended] = await tx.delete(sessions).where(isIt).returning({ userId, userAgent });
  if (ended) await announceSessions(tx, ended.userId);
  return ended;
}

export async function endOtherSessions(tx: Tx, { id, userId }: Session) {
  await dropChallenges(tx, userId);
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, hashOf(id))));
  await announceSessions(tx, userId);
}

export async function endSessionsOf(tx: Tx, userId: string) {
  await dropChallenges(tx, userId);
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await announceSessions(tx, userId);
}

/** Every process reads the customer's sessions again. */
export function announceSessions(tx: Tx | Db, userId: string) {
  return tx.execute(sql`select pg_notify(${sessionsChannel}, ${userId})`);
}

export async function removeExpiredSessions(db: Db, { idleDays }: SessionLifetimes) {
  const isIdle = lt(sessions.lastSeenAt, sql`now() - make_interval(days => ${idleDays})`);
  await db.delete(sessions).where(or(lt(sessions.expiresAt, sql`now()`), isIdle));
}
