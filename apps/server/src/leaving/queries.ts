import { and, eq, getTableColumns, gt, isNotNull, isNull, lt, notExists, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import {
  activity,
  certificateHosts,
  challenges,
  checkouts,
  cliGrants,
  cliTokens,
  dataExports,
  disputes,
  earnings,
  knownDevices,
  mailMessages,
  mailSuppressions,
  passkeys,
  payouts,
  projects,
  recoveryCodes,
  refunds,
  sessions,
  siteAccess,
  subscriptions,
  users,
  verifications,
  wordpressSites,
} from "../db/schema.ts";

export type ExportRow = typeof dataExports.$inferSelect;

/** The customer's archive, or the one that is being made. */
export async function findExport(db: Db | Tx, userId: string): Promise<ExportRow | undefined> {
  const isKept = and(eq(dataExports.userId, userId), gt(dataExports.expiresAt, sql`now()`));
  const [row] = await db.select().from(dataExports).where(isKept);
  return row;
}

/** Begins a new archive, which replaces the old one. Returns the old one's id. */
export async function beginExport(tx: Tx, userId: string): Promise<string | undefined> {
  const [old] = await tx.delete(dataExports).where(eq(dataExports.userId, userId)).returning({ id: dataExports.id });
  await tx.insert(dataExports).values({ userId });
  return old?.id;
}

export async function updateExport(db: Db | Tx, id: string, change: Partial<ExportRow>) {
  await db.update(dataExports).set(change).where(eq(dataExports.id, id));
}

export async function removeExpiredExports(db: Db): Promise<Set<string>> {
  await db.delete(dataExports).where(lt(dataExports.expiresAt, sql`now()`));
  const rows = await db.select({ id: dataExports.id }).from(dataExports);
  return new Set(rows.map(({ id }) => id));
}

/** The customer's projects, deleted ones included while their archive is kept. */
export function findAllProjects(db: Db | Tx, userId: string) {
  const isOwn = and(eq(projects.userId, userId), isNull(projects.stagingOf));
  return db.select().from(projects).where(isOwn).orderBy(projects.createdAt);
}

const { iban: _sealed, ...shownPayout } = getTableColumns(payouts);

/** What is in no other part of an export: rows as they are, without secrets. */
export async function findRecords(db: Db, userId: string) {
  return {
    sessions: await db
      .select({ createdAt: sessions.createdAt, userAgent: sessions.userAgent, place: sessions.place })
      .from(sessions)
      .where(eq(sessions.userId, userId)),
    passkeys: await db
      .select({ name: passkeys.name, createdAt: passkeys.createdAt })
      .from(passkeys)
      .where(eq(passkeys.userId, userId)),
    tokens: await db
      .select({ name: cliTokens.name, kind: cliTokens.kind, createdAt: cliTokens.createdAt })
      .from(cliTokens)
      .where(eq(cliTokens.userId, userId)),
    access: await db
      .select({ project: projects.name, name: siteAccess.name, createdAt: siteAccess.createdAt })
      .from(siteAccess)
      .innerJoin(projects, eq(projects.id, siteAccess.projectId))
      .where(eq(projects.userId, userId)),
    siteRules: await db
      .select({ project: projects.name, rules: wordpressSites.rules })
      .from(wordpressSites)
      .innerJoin(projects, eq(projects.id, wordpressSites.projectId))
      .where(and(eq(projects.userId, userId), isNotNull(wordpressSites.rules))),
    subscriptions: await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)),
    payouts: await db.select(shownPayout).from(payouts).where(eq(payouts.userId, userId)),
    earnings: await db.select().from(earnings).where(eq(earnings.referrerId, userId)),
    refunds: await db.select().from(refunds).where(eq(refunds.userId, userId)),
    disputes: await db
      .select(getTableColumns(disputes))
      .from(disputes)
      .innerJoin(subscriptions, eq(subscriptions.id, disputes.subId))
      .where(eq(subscriptions.userId, userId)),
    messages: await db
      .select({ recipient: mailMessages.recipient, template: mailMessages.template, createdAt: mailMessages.createdAt })
      .from(mailMessages)
      .where(eq(mailMessages.userId, userId)),
  };
}

/** The same moment as that of the projects that are archived in this transaction. */
export async function setClosed(tx: Tx, userId: string) {
  await tx.update(users).set({ closedAt: sql`now()` }).where(eq(users.id, userId));
}

/** Closed accounts whose time to come back is over, whose projects are gone and who are owed no payout; or this one. */
export function findLeft(db: Db | Tx, days: number, id?: string) {
  const isOver = lt(users.closedAt, sql`now() - make_interval(days => ${days})`);
  const own = db.select({ id: projects.id }).from(projects).where(eq(projects.userId, users.id));
  const owed = db
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.userId, users.id), isNull(payouts.paidAt)));
  const isLeft = and(isOver, isNull(users.removedAt), notExists(own), notExists(owed));
  return db
    .select({ id: users.id, email: users.email, lang: users.lang, providerId: users.providerId })
    .from(users)
    .where(and(isLeft, id === undefined ? undefined : eq(users.id, id)));
}

/**
 * Deletes everything about a customer but the bookkeeping: what was bought, paid, earned and paid out. The names of their
 * domains stay as well, without a person: whoever gets a project's name next must prove that a domain is theirs.
 */
export async function eraseUser(tx: Tx, { id, email }: { id: string; email: string }) {
  for (const table of [
    knownDevices,
    passkeys,
    recoveryCodes,
    challenges,
    verifications,
    cliTokens,
    cliGrants,
    activity,
    mailMessages,
    dataExports,
    certificateHosts,
  ])
    await tx.delete(table).where(eq(table.userId, id));
  await tx.execute(sql`delete from ${mailSuppressions} where address = ${email.toLowerCase()}`);
  await tx.delete(checkouts).where(and(eq(checkouts.userId, id), eq(checkouts.state, "expired")));
  await tx.update(checkouts).set({ username: "" }).where(eq(checkouts.userId, id));
  await tx.update(payouts).set({ iban: null, ibanEnd: "" }).where(eq(payouts.userId, id));
  await tx
    .update(users)
    .set({
      email: `${id}@removed.invalid`,
      emailConfirmedAt: null,
      googleSub: null,
      googleLinkedAt: null,
      passwordHash: null,
      totpSecret: null,
      totpPending: null,
      isTwoStep: false,
      avatarUrl: "",
      givenName: "",
      familyName: "",
      address: "",
      city: "",
      state: "",
      zipcode: "",
      country: "",
      phone: "",
      companyName: "",
      vatNumber: "",
      providerCopy: null,
      refusedDetails: [],
      mutedMail: [],
      iban: null,
      ibanEnd: "",
      refcode: id,
      removedAt: sql`now()`,
    })
    .where(eq(users.id, id));
}
