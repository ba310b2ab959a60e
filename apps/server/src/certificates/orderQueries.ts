import { and, asc, count, eq, gt, inArray, isNull, lt, lte, ne, notExists, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../db/connect.ts";
import {
  acmeAccounts,
  acmeChallenges,
  certificateHosts,
  certificateOrders,
  certificates,
  domains,
  projects,
  servedStatuses,
} from "../db/schema.ts";

export type OrderRow = typeof certificateOrders.$inferSelect;
export type CertificateRow = typeof certificates.$inferSelect;

export async function findAccount(db: Db, authority: string) {
  const [row] = await db.select().from(acmeAccounts).where(eq(acmeAccounts.authority, authority));
  return row;
}

export async function insertAccount(db: Db, authority: string, key: Buffer) {
  await db.insert(acmeAccounts).values({ authority, key }).onConflictDoNothing();
}

export async function setAccountUrl(db: Db, authority: string, url: string | null) {
  await db.update(acmeAccounts).set({ url }).where(eq(acmeAccounts.authority, authority));
}

/** Makes the order of a name due that has no certificate: a new owner does not wait for the failures of the last one. */
export async function resetCertificate(tx: Tx, name: string) {
  await tx
    .update(certificates)
    .set({ dueAt: sql`now()`, failures: 0, problem: null })
    .where(and(eq(certificates.name, name), isNull(certificates.chain)));
}

/** Returns whether the name is new. */
export async function insertCertificate(tx: Tx | Db, name: string): Promise<boolean> {
  const rows = await tx
    .insert(certificates)
    .values({ name })
    .onConflictDoNothing()
    .returning({ name: certificates.name });
  return rows.length > 0;
}

export async function findCertificate(db: Db | Tx, name: string): Promise<CertificateRow | undefined> {
  const [row] = await db.select().from(certificates).where(eq(certificates.name, name));
  return row;
}

export async function updateCertificate(tx: Tx | Db, name: string, change: Partial<CertificateRow>) {
  await tx.update(certificates).set(change).where(eq(certificates.name, name));
}

export async function findDueNames(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .select({ name: certificates.name })
    .from(certificates)
    .where(lte(certificates.dueAt, sql`now()`))
    .orderBy(asc(certificates.dueAt))
    .limit(limit);
  return rows.map(({ name }) => name);
}

/** Sets the time of the next order, unless the certificate was renewed meanwhile. */
export async function setRenewal(db: Db, name: string, notAfter: Date, dueAt: Date) {
  await db
    .update(certificates)
    .set({ dueAt })
    .where(and(eq(certificates.name, name), eq(certificates.notAfter, notAfter)));
}

/** Issued certificates whose renewal time has not been asked for since `before`. */
export function findRenewalChecks(db: Db, before: Date, limit: number) {
  return db
    .select()
    .from(certificates)
    .where(and(sql`${certificates.chain} is not null`, lt(certificates.renewalCheckedAt, before)))
    .orderBy(asc(certificates.renewalCheckedAt))
    .limit(limit);
}

/** The customer whose site is served under this name. */
export async function findOwner(db: Db | Tx, name: string): Promise<string | undefined> {
  return (await findServedSite(db, name))?.userId;
}

/** The project that is served at a customer's domain. */
export async function findServedSite(db: Db | Tx, name: string) {
  const [row] = await db
    .select({ userId: projects.userId, projectId: projects.id, name: projects.name })
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(and(eq(domains.domain, name), inArray(domains.status, [...servedStatuses]), isNull(projects.archivedAt)));
  return row;
}

export async function findOpenOrder(db: Db | Tx, name: string): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(certificateOrders)
    .where(and(eq(certificateOrders.name, name), eq(certificateOrders.status, "open")));
  return row;
}

/** Orders are planned one after the other, so that together they do not exceed a limit. */
export async function lockOrders(tx: Tx) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('certificate orders'))`);
}

interface Counted {
  authority?: string;
  registeredDomain?: string;
  name?: string;
  /** the customer whose hosts are counted */
  owner?: string;
  isFailed?: boolean;
}

/** How many orders were created within this period, and when the oldest of them drops out of it. */
export async function countOrders(tx: Tx, counted: Counted, within: number) {
  const { authority, registeredDomain, name, owner, isFailed } = counted;
  const hosts = (userId: string) =>
    tx.select({ host: certificateHosts.host }).from(certificateHosts).where(eq(certificateHosts.userId, userId));
  const [row] = await tx
    .select({ count: count(), oldest: sql<string | null>`min(${certificateOrders.createdAt})` })
    .from(certificateOrders)
    .where(
      and(
        authority ? eq(certificateOrders.authority, authority) : undefined,
        registeredDomain ? eq(certificateOrders.registeredDomain, registeredDomain) : undefined,
        name ? eq(certificateOrders.name, name) : undefined,
        owner ? inArray(certificateOrders.name, hosts(owner)) : undefined,
        isFailed === undefined
          ? undefined
          : isFailed
            ? eq(certificateOrders.status, "failed")
            : ne(certificateOrders.status, "failed"),
        gt(certificateOrders.createdAt, new Date(Date.now() - within)),
      ),
    );
  return { count: row?.count ?? 0, freeAt: new Date(new Date(row?.oldest ?? Date.now()).getTime() + within) };
}

export async function insertOrder(tx: Tx, order: Pick<OrderRow, "name" | "registeredDomain" | "authority">) {
  const [row] = await tx.insert(certificateOrders).values(order).returning();
  return row as OrderRow;
}

export async function updateOrder(db: Db | Tx, id: string, change: Partial<OrderRow>) {
  await db.update(certificateOrders).set(change).where(eq(certificateOrders.id, id));
}

export async function insertChallenge(db: Db, token: string, name: string, keyAuthorization: string) {
  await db.insert(acmeChallenges).values({ token, name, keyAuthorization }).onConflictDoNothing();
}

export async function deleteChallenges(tx: Tx | Db, name: string) {
  await tx.delete(acmeChallenges).where(eq(acmeChallenges.name, name));
}

/** The answers to challenges, by token. */
export async function findChallenges(db: Db, tokens: string[]) {
  const rows = await db.select().from(acmeChallenges).where(inArray(acmeChallenges.token, tokens));
  return new Map(rows.map((row) => [row.token, row]));
}

/** Adds the domains that are served but have no row, for example because HTTPS was turned on later. */
export async function insertMissing(db: Db) {
  const served = db
    .select({ name: domains.domain })
    .from(domains)
    .innerJoin(projects, and(eq(projects.id, domains.projectId), isNull(projects.archivedAt)))
    .where(inArray(domains.status, [...servedStatuses]));
  await db.execute(sql`insert into ${certificates} (name) ${served} on conflict do nothing`);
}

/** Removes the certificates of names that are not served any more: of all names, or of one. */
export async function deleteUnused(db: Db, platformNames: string[], name?: string) {
  const served = db
    .select({ one: sql`1` })
    .from(domains)
    .innerJoin(projects, and(eq(projects.id, domains.projectId), isNull(projects.archivedAt)))
    .where(and(eq(domains.domain, certificates.name), inArray(domains.status, [...servedStatuses])));
  const isIt = name === undefined ? undefined : eq(certificates.name, name);
  await db
    .delete(certificates)
    .where(and(isIt, notExists(served), sql`not (${inArray(certificates.name, platformNames)})`));
}

function isOld(key: AnyPgColumn, currentId: Buffer) {
  return sql`substring(${key} from 1 for ${currentId.length}) <> ${currentId}`;
}

/** Certificates whose private key was encrypted with an earlier secret, sorted by name, after the given name. */
export function findOldKeys(db: Db, currentId: Buffer, after: string, limit: number) {
  return db
    .select({ name: certificates.name, key: sql<Buffer>`${certificates.key}` })
    .from(certificates)
    .where(and(isOld(certificates.key, currentId), gt(certificates.name, after)))
    .orderBy(asc(certificates.name))
    .limit(limit);
}

/** Replaces a private key, unless the certificate was renewed meanwhile. */
export async function replaceKey(db: Db, name: string, old: Buffer, key: Buffer) {
  await db
    .update(certificates)
    .set({ key })
    .where(and(eq(certificates.name, name), eq(certificates.key, old)));
}

export function findOldAccounts(db: Db, currentId: Buffer) {
  return db.select().from(acmeAccounts).where(isOld(acmeAccounts.key, currentId));
}

export async function setAccountKey(db: Db, authority: string, key: Buffer) {
  await db.update(acmeAccounts).set({ key }).where(eq(acmeAccounts.authority, authority));
}

export async function deleteAccount(db: Db, authority: string, key: Buffer) {
  await db.delete(acmeAccounts).where(and(eq(acmeAccounts.authority, authority), eq(acmeAccounts.key, key)));
}

/** Old orders do not count towards any limit. */
export async function deleteOldOrders(db: Db, before: Date) {
  await db
    .delete(certificateOrders)
    .where(and(ne(certificateOrders.status, "open"), lt(certificateOrders.createdAt, before)));
  await db.delete(acmeChallenges).where(lt(acmeChallenges.createdAt, before));
}
