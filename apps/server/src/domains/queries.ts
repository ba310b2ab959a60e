import { and, asc, eq, inArray, lte, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { domainHolders, domains, projects } from "../db/schema.ts";

type NewDomain = typeof domains.$inferInsert;
export type DomainChange = Partial<typeof domains.$inferInsert>;

export async function insertDomain(tx: Tx, domain: NewDomain) {
  await tx.insert(domains).values(domain);
}

export async function countDomains(tx: Tx, projectId: string): Promise<number> {
  return tx.$count(domains, eq(domains.projectId, projectId));
}

/** Whether this customer has the name already, or another one has it and DNS still says so. */
export async function isAssigned(tx: Tx, userId: string, domain: string): Promise<boolean> {
  const rows = await tx
    .select({ id: domains.id })
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(and(eq(domains.domain, domain), sql`(${projects.userId} = ${userId} or ${domains.status} = 'verified')`))
    .limit(1);
  return rows.length > 0;
}

/** False where the project has no such domain. */
export async function deleteDomainOf(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const rows = await tx.delete(domains).where(isOf(projectId, id)).returning({ id: domains.id });
  return rows.length > 0;
}

/** Has a name looked up as soon as possible; false where the project has no such domain. */
export async function hasten(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const rows = await tx
    .update(domains)
    .set({ nextCheckAt: sql`now()` })
    .where(isOf(projectId, id))
    .returning({ id: domains.id });
  return rows.length > 0;
}

/** Of no domain, where it is none of the project's that is verified. Returns whether it is. */
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

/** Whether another account than the project's was ever served at this name. */
export const hadOthers = sql<boolean>`exists (select 1 from ${domainHolders} holder
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
  hadOthers,
};

/** What has to be looked up: where there is too much for one go, what has been due for longest. */
export function findDue(db: Db, most: number) {
  return db
    .select(claim)
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(lte(domains.nextCheckAt, sql`now()`))
    .orderBy(asc(domains.nextCheckAt))
    .limit(most);
}

export async function findClaim(tx: Tx, id: string): Promise<ClaimRow | undefined> {
  const [row] = await tx
    .select(claim)
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(eq(domains.id, id));
  return row;
}

/** The domain that a project's WordPress calls itself by, if it is one of the customer's own. */
export async function findPrimaryClaim(db: Db, projectId: string): Promise<ClaimRow | undefined> {
  const [row] = await db
    .select(claim)
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(and(eq(domains.projectId, projectId), domains.isPrimary));
  return row;
}

/** Has the name that another customer has looked up soon: they may have lost it. */
export async function hastenHolder(db: Db, domain: string) {
  const isIt = and(eq(domains.domain, domain), eq(domains.status, "verified"));
  await db.update(domains).set({ nextCheckAt: sql`now()` }).where(isIt);
}

/** Who else is served at this name. */
export async function findHolder(db: Db | Tx, domain: string, id: string): Promise<ClaimRow | undefined> {
  const isIt = and(eq(domains.domain, domain), ne(domains.id, id), inArray(domains.status, ["verified", "failing"]));
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
