import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../../db/connect.ts";
import { blobs, branches, deploys } from "../../db/schema.ts";
import type { ParsedPlan } from "./parsePlan.ts";

/** The lists are JSON texts. */
type Comparison = {
  added: string;
  changed: string;
  removed: string;
  counts: { added: number; changed: number; removed: number };
  /** digests that this account has not stored */
  missing: string;
  missingBytes: number;
  /** a path whose announced size is not that of its stored content */
  mismatch: string | null;
};

/**
 * Compares a plan with the deploy that its branch shows, and with what the account has stored. Other accounts' blobs are
 * ignored: a digest must not reveal what others have.
 */
export async function comparePlan(tx: Tx, userId: string, projectId: string, { branch, files }: ParsedPlan) {
  // PostgreSQL's planner expects a hundred entries. With 100,000 it would compare each with every other.
  await tx.execute(sql`set local enable_nestloop = off`);
  const { rows } = await tx.execute<Comparison>(sql`
    with planned as materialized (
      select file ->> 0 as path, file ->> 1 as sha256, (file ->> 2)::bigint as size
      from jsonb_array_elements(${files}::jsonb) file
    ), shown as materialized (
      select file ->> 0 as path, file ->> 1 as sha256, (file ->> 2)::bigint as size
      from ${branches} join ${deploys} on ${eq(deploys.id, branches.deployId)}, jsonb_array_elements(${deploys.files}) file
      where ${and(eq(branches.projectId, projectId), eq(branches.name, branch))}
    ), content as materialized (
      -- A join would read all that the account has stored, which may be much more than what changes.
      select needed.sha256, needed.path, needed.size, coalesce(kept.size, (
        select size from ${blobs} where user_id = ${userId} and sha256 = decode(needed.sha256, 'hex'))) as stored_size
      from (select distinct on (sha256) sha256, path, size from planned) needed
      left join (select distinct on (sha256) sha256, size from shown) kept using (sha256)
    )
    select
      added.list as added, changed.list as changed, removed.list as removed,
      json_build_object('added', added.count, 'changed', changed.count, 'removed', removed.count) as counts,
      (select ${listOf("sha256")} from content where stored_size is null) as missing,
      (select coalesce(sum(size), 0)::float8 from content where stored_size is null) as "missingBytes",
      (select min(path) from content where stored_size <> size) as mismatch
    from
      (select ${listOf("path")} as list, count(*)::int as count from planned
        where not exists (select from shown where shown.path = planned.path)) added,
      (select ${listOf("path")} as list, count(*)::int as count from planned join shown using (path)
        where planned.sha256 <> shown.sha256) changed,
      (select ${listOf("path")} as list, count(*)::int as count from shown
        where not exists (select from planned where planned.path = shown.path)) removed`);
  await tx.execute(sql`set local enable_nestloop = on`);
  return rows[0] as Comparison;
}

function listOf(column: "path" | "sha256") {
  return sql.raw(`coalesce(json_agg(${column} order by ${column} collate "C"), '[]')::text`);
}

/** The deploy that was begun with this idempotency key, if it has the same files. */
export async function findSameDeploy(tx: Tx, projectId: string, key: string, files: string) {
  const isIt = and(eq(deploys.projectId, projectId), eq(deploys.key, key), sql`${deploys.files} = ${files}::jsonb`);
  const [row] = await tx.select({ id: deploys.id }).from(deploys).where(isIt);
  return row?.id;
}
