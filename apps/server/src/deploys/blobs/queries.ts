import type { SiteFile } from "@nido/contract";
import { and, eq, inArray, sql } from "drizzle-orm";
import { announced } from "../../db/announceChange.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { blobs, deploys, projects, users } from "../../db/schema.ts";

/**
 * Digests of a deploy that are not stored yet, as a JSON list; null if there are none. A stored blob of another size than
 * planned counts as missing.
 */
export async function findMissingBlobs(tx: Tx, userId: string, deployId: string): Promise<string | null> {
  const { rows } = await tx.execute<{ missing: string | null }>(sql`
    select json_agg(distinct file ->> 1)::text as missing from ${deploys}, jsonb_array_elements(files) file
    where id = ${deployId} and not exists (
      select 1 from ${blobs}
      where user_id = ${userId} and sha256 = decode(file ->> 1, 'hex') and size = (file ->> 2)::bigint)`);
  return rows[0]?.missing ?? null;
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
  const statement = sql`
    with came as (
      select decode(sha256, 'hex') as sha256, size
      from jsonb_to_recordset(${JSON.stringify(received)}::jsonb) as one (sha256 text, size bigint)
    ), kept as (
      insert into ${blobs} (user_id, sha256, size) select ${userId}, sha256, size from came on conflict do nothing
      returning size
    ), changed as (
      update ${users} set rev = rev + 1, stored_bytes = stored_bytes + (select coalesce(sum(size), 0) from kept)
      where id = ${userId} returning id, rev
    ), counted as (
      update ${deploys} set received = least(received + (select sum(size) from came), missing) where id = ${deployId}
    )
    select ${announced}, set_config('synchronous_commit', 'off', true) from changed`;
  // The statement locks the customer's row, so it waits its turn as their transactions do, without a connection.
  // Never refused: what is stored must be counted.
  await db.customers.run(userId, () => db.execute(statement), false);
}

export type BlobRow = Pick<typeof blobs.$inferSelect, "gzip" | "brotli" | "compressedAt" | "size"> & {
  sha256: string;
};

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
  await tx.execute(sql`update ${users} set stored_bytes = (
    select coalesce(sum(size), 0) from ${blobs} where user_id = ${userId}) where id = ${userId}`);
  return rows.map(({ sha256 }) => sha256);
}
