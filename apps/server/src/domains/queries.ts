import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../db/connect.ts";
import { domains } from "../db/schema.ts";

/** Undefined where the unique index says that the host is assigned already. */
export async function insertDomain(tx: Tx, projectId: string, name: string, domain: string) {
  const [row] = await tx.insert(domains).values({ projectId, name, domain }).onConflictDoNothing().returning();
  return row;
}

export async function countDomains(tx: Tx, projectId: string): Promise<number> {
  return tx.$count(domains, eq(domains.projectId, projectId));
}

/** False where the project has no such domain. */
export async function deleteDomainOf(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const isIt = and(eq(sql`${domains.id}::text`, id), eq(domains.projectId, projectId));
  const rows = await tx.delete(domains).where(isIt).returning({ id: domains.id });
  return rows.length > 0;
}
