import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { projects, wordpressSites } from "../../db/schema.ts";
import { findSites, type SiteRow } from "../queries.ts";

/** While a site is moved or replaced, what is written to it would be lost. A copy is renewed by the work of its site. */
const isOpen = and(
  eq(projects.status, "active"),
  eq(wordpressSites.isMoving, false),
  sql`(${wordpressSites.work} is null or ${wordpressSites.work} @> '{"has_failed": true}'
    or ${wordpressSites.work} ->> 'kind' in ('backup', 'copy', 'moveIn'))`,
  sql`not exists (select from ${wordpressSites} as own where own.project_id = ${projects.stagingOf}
    and own.work ->> 'kind' in ('copy', 'moveIn') and not own.work @> '{"has_failed": true}')`,
);

/** The site of this name, or the staging copy `staging--{name}`, if its files may be changed now. */
export async function findOpenSite(db: Db, name: string): Promise<SiteRow | undefined> {
  return (await find(db, eq(projects.name, name)))[0];
}

/** The ids of those whose files may still be changed. */
export async function findOpenSites(db: Db, ids: string[]): Promise<Set<string>> {
  return new Set((await find(db, inArray(projects.id, ids))).map(({ id }) => id));
}

function find(db: Db, condition: SQL): Promise<SiteRow[]> {
  return findSites(db, and(condition, isOpen));
}
