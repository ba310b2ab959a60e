import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { branches, deploys, projects, type StoredFile } from "../db/schema.ts";

/** A new row, with its list of files as JSON text. */
type NewDeployRow = Omit<typeof deploys.$inferInsert, "files"> & { files: string };

const filesPerSlice = 1000;

/** Everything but the file list, which may be long. */
const summary = {
  id: deploys.id,
  projectId: deploys.projectId,
  branch: deploys.branch,
  message: deploys.message,
  fileCount: deploys.fileCount,
  size: deploys.size,
  missing: deploys.missing,
  received: deploys.received,
  createdAt: deploys.createdAt,
  finishedAt: deploys.finishedAt,
};

export async function findOwnDeploy(tx: Db | Tx, userId: string, id: string) {
  const [row] = await tx
    .select({ ...summary, name: projects.name, status: projects.status })
    .from(deploys)
    .innerJoin(projects, eq(projects.id, deploys.projectId))
    .where(and(eq(sql`${deploys.id}::text`, id), eq(projects.userId, userId), isNull(projects.archivedAt)));
  return row;
}

export async function countUnfinished(tx: Tx, projectId: string): Promise<number> {
  return tx.$count(deploys, and(eq(deploys.projectId, projectId), isNull(deploys.finishedAt)));
}

/** Undefined if the project already has a deploy with this idempotency key. */
export async function insertDeploy(tx: Tx, row: NewDeployRow): Promise<string | undefined> {
  const values = { ...row, files: sql`${row.files}::jsonb` };
  const [inserted] = await tx.insert(deploys).values(values).onConflictDoNothing().returning({ id: deploys.id });
  return inserted?.id;
}

/**
 * The files of a deploy. They arrive in slices, so that parsing a list of 100,000 does not delay the other requests of the
 * process.
 */
export async function findFiles(db: Db | Tx, deployId: string): Promise<StoredFile[]> {
  const { rows } = await db.execute<{ files: StoredFile[] }>(sql`
    select json_agg(file order by place) as files
    from ${deploys}, jsonb_array_elements(${deploys.files}) with ordinality as listed (file, place)
    where ${eq(deploys.id, deployId)} group by (place - 1) / ${filesPerSlice} order by min(place)`);
  return rows.flatMap(({ files }) => files);
}

export async function findFinishedAt(db: Db, deployId: string): Promise<Date> {
  const [row] = await db.select({ finishedAt: deploys.finishedAt }).from(deploys).where(eq(deploys.id, deployId));
  return row?.finishedAt ?? new Date(0);
}

/** The encoded `FileSizes` of a deploy; undefined if the customer has no such deploy. */
export async function findOwnSizes(db: Db, userId: string, deployId: string): Promise<Buffer | undefined> {
  const table = sql<Buffer | null>`(select string_agg(sha256 || int8send(size), ''::bytea order by sha256) from (
    select distinct decode(file ->> 1, 'hex') as sha256, (file ->> 2)::bigint as size
    from jsonb_array_elements(${deploys.files}) file) sizes)`;
  const [row] = await db
    .select({ table })
    .from(deploys)
    .innerJoin(projects, eq(projects.id, deploys.projectId))
    .where(and(eq(sql`${deploys.id}::text`, deployId), eq(projects.userId, userId), isNull(projects.archivedAt)));
  return row && (row.table ?? Buffer.alloc(0));
}

export async function findFinished(tx: Tx, projectId: string, id: string) {
  const isIt = and(eq(deploys.projectId, projectId), eq(sql`${deploys.id}::text`, id), isNotNull(deploys.finishedAt));
  const [row] = await tx.select({ id: deploys.id, branch: deploys.branch }).from(deploys).where(isIt);
  return row;
}

export async function setFinished(tx: Tx, id: string, values: Pick<NewDeployRow, "author" | "report" | "findings">) {
  await tx
    .update(deploys)
    .set({ finishedAt: sql`now()`, ...values })
    .where(eq(deploys.id, id));
}

export async function setCompressed(tx: Tx, id: string) {
  await tx.update(deploys).set({ compressedAt: sql`now()` }).where(eq(deploys.id, id));
}

/** Deletes deploys that no branch shows: those beyond the retention, and unfinished uploads older than a day. */
export async function deleteOldDeploys(tx: Tx, userId: string, keep: { count: number; days: number }) {
  await tx.execute(sql`
    delete from ${deploys} using (
      select d.id, d.created_at, d.finished_at, row_number() over (
        partition by d.project_id order by d.finished_at desc nulls last) as place
      from ${deploys} d join ${projects} p on p.id = d.project_id where p.user_id = ${userId}
    ) ranked
    where ${deploys.id} = ranked.id
      and not exists (select 1 from ${branches} where ${eq(branches.projectId, deploys.projectId)} and (
        ${eq(branches.deployId, deploys.id)} or (${branches.changedAt} > now() - interval '1 day'
          and ${branches.replaced} @> jsonb_build_array(jsonb_build_object('id', ${deploys.id})))))
      and case when ranked.finished_at is null then ranked.created_at < now() - interval '1 day'
        else ranked.place > ${keep.count} and ranked.finished_at < now() - make_interval(days => ${keep.days}) end`);
}

/** Deletes the oldest tenth of the finished deploys that no branch shows, at least one. Returns their number. */
export async function deleteOldestDeploys(tx: Tx, userId: string): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from ${deploys} using (
      select d.id, row_number() over (order by d.finished_at) as place, count(*) over () as total
      from ${deploys} d join ${projects} p on p.id = d.project_id
      where p.user_id = ${userId} and d.finished_at is not null and not exists (
        select 1 from ${branches} b
        where b.project_id = d.project_id and (b.deploy_id = d.id or b.replaced -> 0 ->> 'id' = d.id::text))
    ) ranked
    where ${deploys.id} = ranked.id and ranked.place <= greatest(ranked.total / 10, 1)`);
  return rowCount ?? 0;
}

/** The size of the blobs that the customer's deploys use. */
export async function sumUsedBlobs(tx: Tx, userId: string): Promise<number> {
  const { rows } = await tx.execute<{ sum: number }>(sql`
    select coalesce(sum(size), 0)::float8 as sum from (
      select distinct file ->> 1 as sha256, (file ->> 2)::bigint as size
      from ${deploys} d join ${projects} p on p.id = d.project_id, jsonb_array_elements(d.files) file
      where p.user_id = ${userId}) used`);
  return rows[0]?.sum ?? 0;
}
