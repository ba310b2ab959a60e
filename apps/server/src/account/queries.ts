import { randomBytes } from "node:crypto";
import type { Language } from "@nido/contract";
import { and, eq, isNull, like, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { users, verifications } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";

export type UserRow = typeof users.$inferSelect;
type UserChange = Partial<typeof users.$inferInsert>;

export interface GoogleIdentity {
  sub: string;
  email: string;
  emailVerified: boolean;
  givenName: string;
  familyName: string;
  avatarUrl: string;
  /** the language of the page on which they signed in; only a new account gets it */
  lang: Language;
}

export async function findUser(db: Db | Tx, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
}

export async function findCredentials(db: Db, email: string) {
  const [row] = await db.select({ id: users.id, passwordHash: users.passwordHash }).from(users).where(hasEmail(email));
  return row;
}

/** The account that an address belongs to, or may still be given back to. One query, whether there is one or not. */
export async function findByEmail(tx: Tx, email: string) {
  const address = email.toLowerCase();
  const { rows } = await tx.execute<{ id: string; email: string; lang: Language }>(sql`
    select id, email, lang from ${users} where lower(email) = ${address}
    union all
    select u.id, v.email, u.lang from ${verifications} v join ${users} u on u.id = v.user_id
    where v.purpose = 'undoEmail' and lower(v.email) = ${address} and v.expires_at > now()
    limit 1`);
  return rows[0];
}

/** False if another account has this Google account. */
export async function linkGoogleSub(tx: Tx, id: string, sub: string): Promise<boolean> {
  const isFree = sql`not exists (select from ${users} other where other.google_sub = ${sub} and other.id <> ${id})`;
  const rows = await tx
    .update(users)
    .set({ googleSub: sub, googleLinkedAt: sql`now()`, isGoogleUnlinked: false })
    .where(and(eq(users.id, id), isFree))
    .returning({ id: users.id });
  return rows.length > 0;
}

/** Compare-and-set of the last accepted time step. False if this one or a later one was used before. */
export async function takeTotpStep(db: Db, id: string, step: number, totpSecret: Buffer): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ totpStep: step, totpSecret })
    .where(and(eq(users.id, id), lt(users.totpStep, step)))
    .returning({ id: users.id });
  return rows.length > 0;
}

/** False if another account has the address. */
export async function replaceEmail(tx: Tx, id: string, email: string): Promise<boolean> {
  const isFree = sql`not exists (select from ${users} other where lower(other.email) = ${email.toLowerCase()} and other.id <> ${id})`;
  const rows = await tx
    .update(users)
    .set({ email, emailConfirmedAt: sql`now()` })
    .where(and(eq(users.id, id), isFree))
    .returning({ id: users.id });
  return rows.length > 0;
}

export async function findByRefcode(db: Db | Tx, refcode: string) {
  const [row] = await db
    .select({ id: users.id, givenName: users.givenName })
    .from(users)
    .where(eq(users.refcode, refcode));
  return row;
}

/** Locks the customer: other changes to them wait until the transaction ends. */
export async function lockUser(tx: Tx, id: string) {
  const [row] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, id))
    .for("no key update");
  return row;
}

export async function updateUser(tx: Tx, id: string, change: UserChange) {
  await tx.update(users).set(change).where(eq(users.id, id));
}

/** The customer of this id at the payment provider. */
export async function findByProviderId(db: Db | Tx, providerId: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.providerId, providerId));
  return row;
}

/**
 * Compare-and-set of the provider's customer id. Returns the id that is stored afterwards; undefined if the account was
 * removed.
 */
export async function replaceProviderId(
  tx: Tx,
  id: string,
  before: string | null,
  after: string,
): Promise<string | undefined> {
  const isUnchanged = before === null ? isNull(users.providerId) : eq(users.providerId, before);
  await tx
    .update(users)
    .set({ providerId: after })
    .where(and(eq(users.id, id), isUnchanged, isNull(users.removedAt)));
  const stored = await findUser(tx, id);
  return stored?.removedAt ? undefined : (stored?.providerId ?? after);
}

/** Undefined if the e-mail or the Google account exists already. */
export async function insertUser(
  db: Db | Tx,
  user: Omit<typeof users.$inferInsert, "refcode">,
): Promise<string | undefined> {
  const refcode = randomBytes(6).toString("base64url").replace(/[-_]/g, "x").toLowerCase();
  const [row] = await db
    .insert(users)
    .values({ ...user, refcode })
    .onConflictDoNothing()
    .returning({ id: users.id });
  return row?.id;
}

export interface GoogleAccount {
  id: string;
  /** The account had an address that nobody had confirmed: whoever made it may be a stranger. */
  isTakenOver?: boolean;
  /** Google was linked to it just now, by the address. */
  isLinked?: boolean;
  /** It was created just now. */
  isNew?: boolean;
}

/**
 * The account of a Google identity: found by its `sub`, else linked by its verified e-mail, else created. An unverified
 * e-mail neither links nor creates an account, because it may belong to someone else.
 */
export async function linkOrCreateGoogleUser(tx: Tx, identity: GoogleIdentity): Promise<GoogleAccount> {
  const { sub: googleSub, givenName, familyName, avatarUrl, email, lang } = identity;
  const profile = { givenName, familyName, avatarUrl };

  const [known] = await tx.update(users).set(profile).where(eq(users.googleSub, googleSub)).returning({ id: users.id });
  if (known) return known;
  if (!identity.emailVerified) throw new AppError("error_google_email_unverified");

  const isLinkable = and(hasEmail(email), isNull(users.googleSub));
  const [found] = await tx
    .select({ id: users.id, confirmedAt: users.emailConfirmedAt, isUnlinked: users.isGoogleUnlinked })
    .from(users)
    .where(isLinkable)
    .for("no key update");
  if (found?.isUnlinked) throw new AppError("error_google_unlinked");
  if (found) {
    const isTakenOver = found.confirmedAt === null;
    const dropped = isTakenOver ? { passwordHash: null, emailConfirmedAt: sql`now()` } : {};
    await tx
      .update(users)
      .set({ ...profile, googleSub, googleLinkedAt: sql`now()`, ...dropped })
      .where(eq(users.id, found.id));
    return { id: found.id, isTakenOver, isLinked: true };
  }

  // The address may still be given back to an account that had it.
  const isFree = (await findByEmail(tx, email)) === undefined;
  const created =
    isFree && (await insertUser(tx, { ...profile, googleSub, email, lang, emailConfirmedAt: new Date() }));
  if (created) return { id: created, isNew: true };

  // Lost a race against the same person in another tab, or the e-mail belongs to another Google account.
  const [winner] = await tx.select({ id: users.id }).from(users).where(eq(users.googleSub, googleSub));
  if (winner) return winner;
  throw new AppError("error_google_email_taken");
}

/**
 * Removes the Google and Stripe ids that the stand-ins gave to accounts, so that the accounts can be linked
 * to the real services.
 */
export async function forgetSandboxIdentities(tx: Tx) {
  await tx.update(users).set({ googleSub: null }).where(like(users.googleSub, "sandbox-%"));
  await tx.update(users).set({ providerId: null }).where(like(users.providerId, "cus_sandbox%"));
}

function hasEmail(email: string) {
  return eq(sql`lower(${users.email})`, email.toLowerCase());
}
