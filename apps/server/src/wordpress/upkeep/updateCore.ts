import { lockUser } from "../../account/queries.ts";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { isOlder, isSameMinor } from "../core/version.ts";
import { findBehind, findOnCore } from "../dueSites.ts";
import { updateByItselfJob, updateSiteJob } from "../jobs.ts";
import { prepareDatabases } from "../prepareDatabase.ts";
import { findCores, findWordPress, type SiteRow, updateWordPress } from "../queries.ts";
import { checkHealth, requestSite } from "../requestSite.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { backUp, restoreBackup } from "./backups.ts";

/** At most this many are updated in one night. */
const maxSites = 20_000;

/**
 * Fetches the newest WordPress, and the newest of every release line in use. Enqueues the update of every site within its
 * line, and to the newest where the owner wants that.
 */
export async function updateCore(wordpress: WordPress) {
  const { db, runtimes } = wordpress;
  for (const runtime of runtimes) {
    const { name, cores } = runtime;
    const inUse = await findCores(db);
    const newest = await cores.update(inUse);
    // Where an update restarts a site, this shows first that the version works at all.
    if (runtime.update) await prepareDatabases(wordpress, runtime);
    for (const from of inUse) {
      const to = await cores.latestOf(from);
      if (!isUpdate(from, to)) continue;
      const sites = await findOnCore(db, { runtime: name, from, to }, maxSites);
      for (const { id } of sites) await enqueue(db, updateSiteJob, { projectId: id });
    }
    for (const { id, core } of await findBehind(db, name, newest.version, maxSites))
      if (!isSameMinor(core, newest.version) && isOlder(core, newest.version))
        await enqueue(db, updateByItselfJob, { projectId: id, core: newest.version });
    // Versions of archived sites are kept, too: the sites may be restored.
    const kept = await findCores(db);
    await cores.keepOnly([...kept, ...(await Promise.all(kept.map((version) => cores.latestOf(version))))]);
  }
}

/**
 * Updates a site to the newest WordPress of its release line. Its pages must answer as before; otherwise it stays on its version, and the
 * new one is not tried again. The database is upgraded only if the new version needs it, which is rare within a minor
 * version, and is restored from a backup if the update fails.
 */
export async function updateSite(wordpress: WordPress, projectId: string) {
  const { db, log } = wordpress;
  const row = await findWordPress(db, projectId);
  if (!row) return;
  const runtime = wordpress.runtimeOf(row);
  const version = await runtime.cores.latestOf(row.core);
  if (row.archivedAt || row.refusedCore === version || !isUpdate(row.core, version)) return;
  const [before, after] = [siteOf(wordpress, row), { ...siteOf(wordpress, row), core: version }];
  const health = await checkHealth(wordpress, before);
  if (health.some((status) => status >= 500))
    return log.warn({ project: projectId, health }, "skipping the update of a site that answers with errors");

  const upgrade = { url: "/", script: { in: "nido", path: "upgrade.php" } } as const;
  const prepare = async () => {
    await runtime.update?.(after);
    const check = requestSite(wordpress, after, { ...upgrade, server: { NIDO_CHECK: "1" } });
    return (await check.catch(() => "")) === "needed" ? backUp(wordpress, before, { reason: "update" }) : undefined;
  };
  const backup = await prepare().catch(async (error) => {
    await runtime.update?.(before);
    throw error;
  });
  try {
    if (backup) await requestSite(wordpress, after, upgrade);
    const now = await checkHealth(wordpress, after);
    if (String(now) !== String(health))
      throw new Error(`pages of site ${projectId} answered ${health} before the update and ${now} after it`);
    await save(wordpress, row, { core: version });
  } catch (error) {
    log.error(
      { err: error, project: projectId },
      `update to WordPress ${version} failed; the site stays on ${row.core}`,
    );
    if (backup) await restoreBackup(wordpress, before, backup);
    await save(wordpress, row, { refusedCore: version });
    await runtime.update?.(before);
    await checkHealth(wordpress, before); // starts PHP with the old version again
  }
}

function isUpdate(from: string, to: string): boolean {
  return isSameMinor(from, to) && isOlder(from, to);
}

async function save(
  { db }: WordPress,
  { id, userId, name, stagingOf }: SiteRow,
  change: { core: string } | { refusedCore: string },
) {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await updateWordPress(tx, id, change);
    const [template, version] =
      "core" in change ? (["wordpressUpdated", change.core] as const) : (["updateUndone", change.refusedCore] as const);
    // Nobody is told about a staging copy.
    if (stagingOf) return;
    await mailCustomer(tx, userId, template, { projectId: id, name, version });
    await record(tx, userId, platform, { kind: template, params: { project: name, version }, projectId: id });
    await announceChange(tx, userId);
  });
}
