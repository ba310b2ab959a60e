import { and, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import { certificates, domains, projects, servedStatuses } from "../db/schema.ts";

/** A certificate that may be served. */
export interface ServedRow {
  name: string;
  /** changes with every renewal */
  version: string;
  /** null for the platform's own names */
  userId: string | null;
}

/** Those of the names that have a certificate and are served. */
export async function findServed(db: Db, names: string[], platformNames: string[]): Promise<Map<string, ServedRow>> {
  const isPlatforms = inArray(certificates.name, platformNames);
  const rows = await db
    .select({
      name: certificates.name,
      version: sql<string>`${certificates.name} || ' ' || ${certificates.notAfter}`,
      userId: projects.userId,
    })
    .from(certificates)
    .leftJoin(domains, and(eq(domains.domain, certificates.name), inArray(domains.status, [...servedStatuses])))
    .leftJoin(projects, and(eq(projects.id, domains.projectId), isNull(projects.archivedAt)))
    .where(
      and(
        inArray(certificates.name, names),
        gt(certificates.notAfter, sql`now()`),
        or(isNotNull(projects.id), platformNames.length > 0 ? isPlatforms : undefined),
      ),
    );
  return new Map(rows.map((row) => [row.name, row]));
}

export async function findIssued(db: Db, name: string): Promise<{ chain: string; key: Buffer } | undefined> {
  const [row] = await db
    .select({ chain: certificates.chain, key: certificates.key })
    .from(certificates)
    .where(eq(certificates.name, name));
  return row?.chain && row.key ? { chain: row.chain, key: row.key } : undefined;
}
