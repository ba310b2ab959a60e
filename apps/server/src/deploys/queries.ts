import { mainBranch, type SiteFile } from "@nido/contract";
import { and, desc, eq, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { announced, changed } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { blobs, branches, deploys, projects, type StoredFile } from "../db/schema.ts";

type NewDeployRow = typeof deploys.$inferInsert;

const mostPreviews = 20;

/** Without its files, which may be many. */
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

export async function findOwnStatic(db: Db | Tx, userId: string, name: string) {
  const isIt = and(eq(projects.name, name), eq(projects.userId, userId), isNull(projects.archivedAt));
  const [row] = await db.select().from(projects).where(isIt);
  return row;
}

export async function findOwnDeploy(tx: Tx, userId: string, id: string) {
  const [row] = await tx
    .select({ ...summary, name: projects.name, status: projects.status })
    .from(deploys)
    .innerJoin(projects, eq(projects.id, deploys.projectId))
    .where(and(eq(sql`${deploys.id}::text`, id), eq(projects.userId, userId), isNull(projects.archivedAt)));
  return row;
}

export async function findByKey(tx: Tx, projectId: string, key: string) {
  const isIt = and(eq(deploys.projectId, projectId), eq(deploys.key, key));
  const [row] = await tx.select({ id: deploys.id, files: deploys.files }).from(deploys).where(isIt);
  return row;
}

export async function countUnfinished(tx: Tx, projectId: string): Promise<number> {
  return tx.$count(deploys, and(eq(deploys.projectId, projectId), isNull(deploys.finishedAt)));
}

/** Its id, unless there is one with its key. */
export async function insertDeploy(tx: Tx, row: NewDeployRow): Promise<string | undefined> {
  const [inserted] = await tx.insert(deploys).values(row).onConflictDoNothing().returning({ id: deploys.id });
  return inserted?.id;
}

export async function findFiles(db: Db | Tx, deployId: string): Promise<StoredFile[]> {
  const [row] = await db.select({ files: deploys.files }).from(deploys).where(eq(deploys.id, deployId));
  return row?.files ?? [];
}

export async function findOwnFiles(db: Db, userId: string, deployId: string): Promise<StoredFile[] | undefined> {
  const [row] = await db
    .select({ files: deploys.files })
    .from(deploys)
    .innerJoin(projects, eq(projects.id, deploys.projectId))
    .where(and(eq(sql`${deploys.id}::text`, deployId), eq(projects.userId, userId), isNull(projects.archivedAt)));
  return row?.files;
}

/** What a branch shows. */
export async function findShownFiles(tx: Tx, projectId: string, branch: string): Promise<StoredFile[]> {
  const [row] = await tx
    .select({ files: deploys.files })
    .from(branches)
    .innerJoin(deploys, eq(deploys.id, branches.deployId))
    .where(and(eq(branches.projectId, projectId), eq(branches.name, branch)));
  return row?.files ?? [];
}

/** What the project's finished deploys are, the newest first. */
export function findDeploys(db: Db | Tx, projectId: string) {
  return db
    .select({ ...summary, isShown: isNotNull(branches.deployId) })
    .from(deploys)
    .leftJoin(branches, eq(branches.deployId, deploys.id))
    .where(and(eq(deploys.projectId, projectId), isNotNull(deploys.finishedAt)))
    .orderBy(desc(deploys.finishedAt));
}

export async function showDeploy(tx: Tx, projectId: string, branch: string, deployId: string) {
  await tx
    .insert(branches)
    .values({ projectId, name: branch, deployId })
    .onConflictDoUpdate({
      target: [branches.projectId, branches.name],
      set: { deployId, previousId: branches.deployId, changedAt: sql`now()` },
      setWhere: ne(branches.deployId, deployId),
    });
  // Each has an address, and may need a certificate of its own: those that were published to last stay.
  if (branch !== mainBranch)
    await tx.execute(sql`delete from ${branches} where project_id = ${projectId} and name in (
    select name from ${branches} where project_id = ${projectId} and name <> ${mainBranch}
    order by changed_at desc offset ${mostPreviews})`);
  // What the customer sees as used is what is shown.
  await tx
    .update(projects)
    .set({
      diskUsed: sql`(select coalesce(sum(${deploys.size}), 0) from ${deploys} join ${branches}
        on ${eq(branches.deployId, deploys.id)} where ${eq(branches.projectId, projectId)})`,
    })
    .where(eq(projects.id, projectId));
}

export async function setFinished(tx: Tx, id: string) {
  await tx.update(deploys).set({ finishedAt: sql`now()` }).where(eq(deploys.id, id));
}

export async function setCompressed(tx: Tx, id: string) {
  await tx.update(deploys).set({ compressedAt: sql`now()` }).where(eq(deploys.id, id));
}

/** Which of these digests this account has, and their sizes. Nobody else's count: a digest must not tell what others have. */
export async function findKnown(db: Db | Tx, userId: string, digests: string[]): Promise<Map<string, number>> {
  if (digests.length === 0) return new Map();
  const { rows } = await db.execute<{ sha256: string; size: string }>(
    sql`select encode(sha256, 'hex') as sha256, size from ${blobs} where user_id = ${userId}
      and sha256 in (select decode(jsonb_array_elements_text(${JSON.stringify(digests)}::jsonb), 'hex'))`,
  );
  return new Map(rows.map(({ sha256, size }) => [sha256, Number(size)]));
}

/** Which files of a deploy have not come yet, by digest. One that was announced with a wrong size never comes. */
export async function findMissing(tx: Tx, userId: string, deployId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ sha256: string }>(sql`
    select distinct file ->> 1 as sha256 from ${deploys}, jsonb_array_elements(files) file
    where id = ${deployId} and not exists (
      select 1 from ${blobs}
      where user_id = ${userId} and sha256 = decode(file ->> 1, 'hex') and size = (file ->> 2)::bigint)`);
  return rows.map(({ sha256 }) => sha256);
}

/**
 * In one statement, since files come in many parcels at once. It does not wait for the disk: finishing does, for all
 * of it, and what was lost before is sent again.
 */
export async function recordReceived(
  db: Db,
  userId: string,
  deployId: string,
  received: Pick<SiteFile, "sha256" | "size">[],
) {
  await db.execute(sql`
    with ${changed(userId)}, came as (
      select decode(sha256, 'hex') as sha256, size
      from jsonb_to_recordset(${JSON.stringify(received)}::jsonb) as one (sha256 text, size bigint)
    ), kept as (
      insert into ${blobs} (user_id, sha256, size) select ${userId}, sha256, size from came on conflict do nothing
    ), counted as (
      update ${deploys} set received = least(received + (select sum(size) from came), missing) where id = ${deployId}
    )
    select ${announced}, set_config('synchronous_commit', 'off', true) from changed`);
}

export type BlobRow = Pick<typeof blobs.$inferSelect, "gzip" | "brotli" | "compressedAt" | "size"> & { sha256: string };

export async function findBlobs(db: Db, userId: string, digests: string[]): Promise<BlobRow[]> {
  const rows = await db
    .select()
    .from(blobs)
    .where(
      and(
        eq(blobs.userId, userId),
        inArray(
          blobs.sha256,
          sql`(select decode(jsonb_array_elements_text(${JSON.stringify(digests)}::jsonb), 'hex'))`,
        ),
      ),
    );
  return rows.map((row) => ({ ...row, sha256: row.sha256.toString("hex") }));
}

export async function setVariants(
  db: Db,
  userId: string,
  sha256: string,
  sizes: { gzip: number | null; brotli: number | null },
) {
  const isIt = and(eq(blobs.userId, userId), eq(blobs.sha256, Buffer.from(sha256, "hex")));
  await db
    .update(blobs)
    .set({ ...sizes, compressedAt: sql`now()` })
    .where(isIt);
}

/** Who has sent anything. */
export function findPublishers(db: Db) {
  return db.selectDistinct({ userId: blobs.userId }).from(blobs);
}

/** Removes deploys that no branch shows: old ones, and those that were never finished. */
export async function deleteOldDeploys(tx: Tx, userId: string, keep: { count: number; days: number }) {
  await tx.execute(sql`
    delete from ${deploys} using (
      select d.id, d.created_at, d.finished_at, row_number() over (
        partition by d.project_id order by d.finished_at desc nulls last) as place
      from ${deploys} d join ${projects} p on p.id = d.project_id where p.user_id = ${userId}
    ) ranked
    where ${deploys.id} = ranked.id
      and not exists (select 1 from ${branches} where ${eq(branches.deployId, deploys.id)} or ${eq(branches.previousId, deploys.id)})
      and case when ranked.finished_at is null then ranked.created_at < now() - interval '1 day'
        else ranked.place > ${keep.count} and ranked.finished_at < now() - make_interval(days => ${keep.days}) end`);
}

/** Forgets the blobs that no deploy has any more, and returns which. Young ones stay: their deploy may be on its way. */
export async function deleteUnusedBlobs(tx: Tx, userId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ sha256: string }>(sql`
    with used as (
      select distinct decode(file ->> 1, 'hex') as sha256
      from ${deploys} d join ${projects} p on p.id = d.project_id, jsonb_array_elements(d.files) file
      where p.user_id = ${userId}
    )
    delete from ${blobs} where user_id = ${userId} and added_at < now() - interval '1 day'
      and not exists (select 1 from used where used.sha256 = ${blobs.sha256})
    returning encode(sha256, 'hex') as sha256`);
  return rows.map(({ sha256 }) => sha256);
}
