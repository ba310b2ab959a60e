import { eq, inArray, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { domains, projects, servedStatuses } from "../db/schema.ts";

/** The SQL condition that a domain is served. `table` may be an alias of `domains`. */
export function isServed(table: { status: AnyPgColumn } = domains) {
  return inArray(table.status, [...servedStatuses]);
}

/** The primary domain of a WordPress project, if the customer chose one and it is served. */
export function primaryDomain() {
  return sql<string | null>`(select ${domains.domain} from ${domains}
    where ${eq(domains.projectId, projects.id)} and ${domains.isPrimary} and ${isServed()})`;
}
