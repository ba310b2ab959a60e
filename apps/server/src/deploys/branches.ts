import { mainBranch, maxPreviewBranches } from "@nido/contract";
import { and, eq, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { branches, deploys } from "../db/schema.ts";
import { setDiskUsed } from "../projects/queries.ts";

const maxHistory = 50;
/** Open tabs and caches go on using files of at most so many replaced deploys, for a day. */
const maxReplaced = 10;

export async function findBranch(tx: Db | Tx, projectId: string, name: string) {
  const [row] = await tx.select().from(branches).where(isBranch(projectId, name));
  return row;
}

/**
 * Shows a deploy on a branch. With `isBack`, a deploy that the branch showed before is taken from its history, with
 * all that came after it; otherwise the deploy that is replaced joins the history.
 */
export async function showDeploy(
  tx: Tx,
  { projectId, name, deployId, history = [] }: typeof branches.$inferInsert,
  { isBack = false } = {},
) {
  const place = sql`(array_positions(${branches.history}, ${deployId}::uuid))[cardinality(array_positions(${branches.history}, ${deployId}::uuid))]`;
  const longer = sql`(${branches.history} || ${branches.deployId})`;
  const pushed = sql`${longer}[greatest(cardinality(${longer}) - ${maxHistory - 1}, 1):]`;
  const replaced = sql`(select coalesce(jsonb_agg(each order by place), '[]') from (
    select each, place from jsonb_array_elements(jsonb_build_array(jsonb_build_object(
      'id', ${branches.deployId}, 'at', floor(extract(epoch from now()) * 1000))) || ${branches.replaced}
    ) with ordinality as listed (each, place)
    where each ->> 'id' <> ${deployId}::text and (place = 1 or each ->> 'id' <> ${branches.deployId}::text)
      and (each ->> 'at')::float8 > extract(epoch from now() - interval '1 day') * 1000
    order by place limit ${maxReplaced}) recent)`;
  await tx
    .insert(branches)
    .values({ projectId, name, deployId, history })
    .onConflictDoUpdate({
      target: [branches.projectId, branches.name],
      set: {
        deployId,
        replaced,
        history: isBack ? sql`coalesce(${branches.history}[:${place} - 1], ${pushed})` : pushed,
        changedAt: sql`now()`,
      },
      setWhere: ne(branches.deployId, deployId),
    });
  // Each branch has its own address and certificate, so only the most recently published ones are kept.
  if (name !== mainBranch)
    await tx.execute(sql`delete from ${branches} where project_id = ${projectId} and name in (
    select name from ${branches} where project_id = ${projectId} and name <> ${mainBranch}
    order by changed_at desc offset ${maxPreviewBranches})`);
  await countShownBytes(tx, projectId);
}

export async function deleteBranch(tx: Tx, projectId: string, name: string) {
  await tx.delete(branches).where(isBranch(projectId, name));
  await countShownBytes(tx, projectId);
}

/** The customer's disk use is what the branches show, not what is stored. */
async function countShownBytes(tx: Tx, projectId: string) {
  const shown = sql`(select ${branches.deployId} from ${branches} where ${eq(branches.projectId, projectId)})`;
  const bytes = sql<number>`(select coalesce(sum(${deploys.size}), 0) from ${deploys} where ${deploys.id} in ${shown})`;
  await setDiskUsed(tx, projectId, bytes);
}

function isBranch(projectId: string, name: string) {
  return and(eq(branches.projectId, projectId), eq(branches.name, name));
}
