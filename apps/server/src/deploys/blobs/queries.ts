import type { SiteFile } from "@nido/contract";
import { and, eq, inArray, sql } from "drizzle-orm";
import { announced, changed } from "../../db/announceChange.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { blobs, deploys, projects } from "../../db/schema.ts";

/** Sizes of the blobs that this account has stored, by digest. Other accounts' blobs are ignored: a digest must not reveal what others have. */
export async function findBlobSizes(db: Db | Tx, userId: string, digests: string[]): Promise<Map<string, number>> {
  if (digests.length === 0) return new Map();
  const { rows } = await db.execute<{ sha256: string; size: string }>(
    sql`select encode(sha256, 'hex') as sha256, size from ${blobs} where user_id = ${userId}
      and sha256 in (select decode(jsonb_array_elements_text(${JSON.stringify(digests)}::jsonb), 'hex'))`,
  );
  return new Map(rows.map(({ sha256, size }) => [sha256, Number(size)]));
}

/** Digests of a deploy that are not stored yet. A stored blob of another size than planned counts as missing. */
export async function findMissingBlobs(tx: Tx, userId: string, deployId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ sha256: string }>(sql`
    select distinct file ->> 1 as sha256 from ${deploys}, jsonb_array_elements(files) file
    where id = ${deployId} and not exists (
      select 1 from ${blobs}
      where user_id = ${userId} and sha256 = decode(file ->> 1, 'hex') and size = (file ->> 2)::bigint)`);
  return rows.map(({ sha256 }) => sha256);
}

/**
 * Records a batch in one statement, because many arrive concurrently. The commit does not wait for the disk
 * (`synchronous_commit`). The commit that finishes the deploy does, and rows that a crash lost before it are
 * reported as missing.
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

/** The accounts that have blobs. */
export function findPublishers(db: Db) {
  return db.selectDistinct({ userId: blobs.userId }).from(blobs);
}

/** Deletes the rows of blobs that no deploy uses and returns their digests. Blobs younger than a day may belong to an upload. */
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
