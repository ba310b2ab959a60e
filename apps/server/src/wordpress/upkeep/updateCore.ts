import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { isOlder, isSameBranch } from "../core/version.ts";
import { findAll, findRunning, findWordPress, type SiteRow, updateWordPress } from "../queries.ts";
import { ask, healthOf } from "../requestSite.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { backUp, restoreBackup } from "./backups.ts";

/** Fetches the newest WordPress of the branch that we are on, and has each site moved to it. */
export async function updateCore({ db, cores }: WordPress) {
  const { version } = await cores.update();
  const sites = await findRunning(db);
  for (const { id, core } of sites) if (isUpdate(core, version)) await enqueue(db, "updateSite", { projectId: id });
  // Those of archived sites too: they may come back.
  await cores.keepOnly((await findAll(db)).map(({ core }) => core));
}

/**
 * Moves a site to the current WordPress: its pages must answer as they did before. Where they do not, it stays on
 * the version that it had, and this one is not tried again. Its database is only touched where the new version asks
 * for it, which within a branch is rare; then it is put back from a backup.
 */
export async function updateSite(wordpress: WordPress, projectId: string) {
  const { db, cores, log } = wordpress;
  const row = await findWordPress(db, projectId);
  const { version } = await cores.current();
  if (!row || row.archivedAt || row.refusedCore === version || !isUpdate(row.core, version)) return;
  const [before, after] = [siteOf(wordpress, row), { ...siteOf(wordpress, row), core: version }];
  const health = await healthOf(wordpress, before);
  if (health.some((status) => status >= 500))
    return log.warn({ project: projectId, health }, "a site that does not answer is not updated");

  const upgrade = { url: "/", script: { in: "nido", path: "upgrade.php" } } as const;
  const isNeeded =
    (await ask(wordpress, after, { ...upgrade, server: { NIDO_ASK: "1" } }).catch(() => "")) === "needed";
  const backup = isNeeded ? await backUp(wordpress, before) : undefined;
  try {
    if (isNeeded) await ask(wordpress, after, upgrade);
    const now = await healthOf(wordpress, after);
    if (String(now) !== String(health)) throw new Error(`its pages answered ${health}, and then ${now}`);
    await save(wordpress, row, { core: version });
  } catch (error) {
    log.error({ err: error, project: projectId }, `a site stays on WordPress ${row.core}: it breaks on ${version}`);
    if (backup) await restoreBackup(wordpress, before, backup);
    await save(wordpress, row, { refusedCore: version });
    await healthOf(wordpress, before); // and runs on its own again
  }
}

function isUpdate(from: string, to: string): boolean {
  return isSameBranch(from, to) && isOlder(from, to);
}

async function save({ db }: WordPress, { id, userId }: SiteRow, change: { core: string } | { refusedCore: string }) {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await updateWordPress(tx, id, change);
    await announceChange(tx, userId);
  });
}
