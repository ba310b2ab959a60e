import { mainBranch } from "@nido/contract";
import { and, asc, eq, isNull, lte, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { domainHolders, domains, projects } from "../db/schema.ts";
import { isServed } from "./servedDomains.ts";

type NewDomain = typeof domains.$inferInsert;
export type DomainChange = Partial<typeof domains.$inferInsert>;

export async function insertDomain(tx: Tx, domain: NewDomain) {
  await tx.insert(domains).values(domain);
}

export async function countDomains(tx: Tx, projectId: string): Promise<number> {
  return tx.$count(domains, eq(domains.projectId, projectId));
}

/** Whether this customer has added the domain already, or another customer has it verified. */
export async function isAssigned(tx: Tx, userId: string, domain: string): Promise<boolean> {
  const rows = await tx
    .select({ id: domains.id })
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(and(eq(domains.domain, domain), sql`(${projects.userId} = ${userId} or ${domains.status} = 'verified')`))
    .limit(1);
  return rows.length > 0;
}

/** The deleted domain; undefined if the project has no such domain. */
export async function deleteDomainOf(tx: Tx, projectId: string, id: string) {
  const [row] = await tx.delete(domains).where(isOf(projectId, id)).returning(removed);
  return row;
}

export async function deleteRedirectsTo(tx: Tx, projectId: string, domain: string) {
  const leadsThere = and(eq(domains.projectId, projectId), eq(domains.redirectsTo, domain));
  return tx.delete(domains).where(leadsThere).returning(removed);
}

const removed = {
  name: domains.name,
  domain: domains.domain,
  branch: domains.branch,
  redirectsTo: domains.redirectsTo,
  isPrimary: domains.isPrimary,
};

/** Makes the check of a domain due now; false if the project has no such domain. */
export async function scheduleCheck(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const rows = await tx
    .update(domains)
    .set({ nextCheckAt: sql`now()` })
    .where(isOf(projectId, id))
    .returning({ id: domains.id });
  return rows.length > 0;
}

/** The primary domain; undefined if it is the controlled one. */
export async function findPrimary(tx: Tx, projectId: string) {
  const [row] = await tx
    .select({ id: domains.id, domain: domains.domain })
    .from(domains)
    .where(and(eq(domains.projectId, projectId), domains.isPrimary));
  return row;
}

/** Whether a domain shows a project's main branch itself. */
export async function isPlainDomain(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const isPlain = and(isOf(projectId, id), isNull(domains.redirectsTo), eq(domains.branch, mainBranch));
  return (await tx.$count(domains, isPlain)) > 0;
}

export async function isVerified(tx: Tx, projectId: string, id: string): Promise<boolean> {
  return (await tx.$count(domains, and(isOf(projectId, id), eq(domains.status, "verified")))) > 0;
}

/** Makes this domain the primary one. Without a verified domain of this id, returns false and leaves no primary. */
export async function setPrimaryOf(tx: Tx, projectId: string, id: string): Promise<boolean> {
  await tx.update(domains).set({ isPrimary: false }).where(eq(domains.projectId, projectId));
  const rows = await tx
    .update(domains)
    .set({ isPrimary: true, redirectsTo: null })
    .where(and(isOf(projectId, id), eq(domains.status, "verified")))
    .returning({ id: domains.id });
  return rows.length > 0;
}

export type ClaimRow = Awaited<ReturnType<typeof findDue>>[number];

/** Whether another account was ever served at this domain. */
export const hadOtherHolders = sql<boolean>`exists (select 1 from ${domainHolders} holder
  where holder.domain = ${domains.domain} and holder.user_id <> ${projects.userId})`;

export async function insertHolder(tx: Tx, domain: string, userId: string) {
  await tx.insert(domainHolders).values({ domain, userId }).onConflictDoNothing();
}

const claim = {
  id: domains.id,
  domain: domains.domain,
  project: projects.name,
  userId: projects.userId,
  projectId: domains.projectId,
  isPrimary: domains.isPrimary,
  status: domains.status,
  createdAt: domains.createdAt,
  verifiedAt: domains.verifiedAt,
  nextCheckAt: domains.nextCheckAt,
  hadOtherHolders,
};

/** The domains whose check is due, the longest overdue first. */
export function findDue(db: Db, limit: number) {
  return db
    .select(claim)
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(lte(domains.nextCheckAt, sql`now()`))
    .orderBy(asc(domains.nextCheckAt))
    .limit(limit);
}

export async function findClaim(tx: Tx, id: string): Promise<ClaimRow | undefined> {
  const [row] = await tx
    .select(claim)
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(eq(domains.id, id));
  return row;
}

/** The project's primary domain, if the customer chose one and it is served. */
export async function findPrimaryClaim(db: Db, projectId: string): Promise<ClaimRow | undefined> {
  const [row] = await db
    .select(claim)
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(and(eq(domains.projectId, projectId), domains.isPrimary, isServed()));
  return row;
}

/** Makes the check of another customer's verified domain due: they may have lost it. */
export async function scheduleHolderCheck(db: Db, domain: string) {
  const isIt = and(eq(domains.domain, domain), eq(domains.status, "verified"));
  await db.update(domains).set({ nextCheckAt: sql`now()` }).where(isIt);
}

/** The other claim that is served at this domain. */
export async function findHolder(db: Db | Tx, domain: string, id: string): Promise<ClaimRow | undefined> {
  const isIt = and(eq(domains.domain, domain), ne(domains.id, id), isServed());
  const [row] = await db
    .select(claim)
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(isIt);
  return row;
}

export async function updateDomain(tx: Tx, id: string, change: DomainChange) {
  await tx.update(domains).set(change).where(eq(domains.id, id));
}

function isOf(projectId: string, id: string) {
  return and(eq(sql`${domains.id}::text`, id), eq(domains.projectId, projectId));
}
