import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ErrorKey, type MoveInReport, resourcesOf } from "@nido/contract";
import { announceChange } from "../../db/announceChange.ts";
import { findWordPress, type SiteRow } from "../queries.ts";
import type { WordPress } from "../WordPress.ts";
import { findMoveIn, recordReport } from "./moveInRows.ts";
import { type MoveInPlan, planMoveIn } from "./planMoveIn.ts";
import { ArchiveError } from "./readArchive.ts";

/** Plugins that keep pages or compress files, which the platform does before PHP is asked. */
const needless =
  /^(wp-super-cache|w3-total-cache|wp-fastest-cache|litespeed-cache|cache-enabler|breeze|sg-cachepress|wp-rocket|hummingbird-performance|nginx-helper|comet-cache|wp-optimize|redis-cache|memcached.*|wpe.*|jetpack-boost)$/;

/** Looks through the archive that the owner of a site has sent, and records what is in it, or why it cannot be used. */
export async function inspectMoveIn(
  wordpress: WordPress,
  { projectId, id }: { projectId: string; id: string },
  isLastAttempt: boolean,
) {
  const { db, uploads } = wordpress;
  const [row, site] = [await findMoveIn(db, projectId), await findWordPress(db, projectId)];
  if (!site || row?.id !== id || row.received !== row.size) return;
  let archive: string | undefined;
  let result: Parameters<typeof recordReport>[2];
  try {
    archive = await uploads.assemble(id, row.parts, row.size);
    const plan = await planMoveIn(archive, maxUnpacked(site));
    const problem = await problemOf(wordpress, site, plan);
    result = problem ? { problem } : { report: reportOf(plan), prefix: plan.database?.prefix ?? "" };
  } catch (error) {
    if (!(error instanceof ArchiveError) && !isLastAttempt) throw error;
    if (!(error instanceof ArchiveError))
      wordpress.log.error(
        { err: error, project: projectId },
        "could not look through the archive of another WordPress",
      );
    result = { problem: error instanceof ArchiveError ? "error_move_in_archive" : "error_unknown" };
  } finally {
    if (archive) await rm(archive, { force: true });
  }
  await db.transaction(async (tx) => {
    await recordReport(tx, id, result);
    await announceChange(tx, site.userId);
  });
}

/** An archive may contain all of WordPress, and caches and backups that stay behind. */
export function maxUnpacked({ recipe }: Pick<SiteRow, "recipe">): number {
  return 2 * resourcesOf(recipe).disk;
}

async function problemOf(
  { runtimeOf }: WordPress,
  site: SiteRow,
  { files, bytes, database }: MoveInPlan,
): Promise<ErrorKey | undefined> {
  if (files === 0) return "error_move_in_content";
  if (!database) return "error_move_in_database";
  if (database.isNetwork) return "error_move_in_network";
  // Both are on the disk for a while: the dump, and the tables that are made of it.
  if (bytes + 2 * database.bytes > resourcesOf(site.recipe).disk) return "error_move_in_size";
  const core = join(runtimeOf(site).cores.open(site.core).folder, "wp-includes/version.php");
  // On Kubernetes, WordPress is in an image; then its own upgrade refuses a newer database.
  const own = await readFile(core, "utf8").catch(() => "");
  const ownVersion = Number(/\$wp_db_version = (\d+)/.exec(own)?.[1]);
  return database.version > ownVersion ? "error_move_in_newer" : undefined;
}

function reportOf({ files, bytes, wordpress, plugins, themes, left, database }: MoveInPlan): MoveInReport {
  return {
    ...{ files, bytes, wordpress, plugins, themes, left },
    url: database?.url ?? "",
    tables: database?.tables ?? 0,
    needless: plugins.filter((name) => needless.test(name)),
  };
}
