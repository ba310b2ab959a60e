import { rm } from "node:fs/promises";
import { lockUser } from "../account/queries.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { announceChange } from "../remote/announceChange.ts";
import { ask, expectHealth } from "./ask.ts";
import { backUp, restoreBackup } from "./backups.ts";
import { isSameBranch } from "./core/branch.ts";
import { findRunning, findWordPress, setCore } from "./queries.ts";
import { siteFolder } from "./siteFolder.ts";
import { siteOf, type WordPress } from "./WordPress.ts";

/** Fetches the newest WordPress of the branch that we are on, and has each site moved to it. */
export async function updateCore({ db, cores }: WordPress) {
  const { version } = await cores.update();
  const sites = await findRunning(db);
  for (const { id, core } of sites)
    if (core !== version && isSameBranch(core, version)) await enqueue(db, "updateSite", { projectId: id });
  await cores.keepOnly(sites.map(({ core }) => core));
}

/**
 * Moves a site to the current WordPress: after a backup its database is brought up to date, and its pages are
 * looked at. Where one of them fails, it stays on the version that it had, with the database that it had.
 */
export async function updateSite(wordpress: WordPress, projectId: string) {
  const { db, cores, log } = wordpress;
  const row = await findWordPress(db, projectId);
  const { version } = await cores.current();
  if (!row || row.archivedAt || row.core === version) return;
  const [before, after] = [siteOf(wordpress, row), { ...siteOf(wordpress, row), core: version }];
  const isHealthy = await expectHealth(wordpress, before).then(
    () => true,
    () => false,
  );
  if (!isHealthy) return log.warn({ project: projectId }, "a site that does not answer is not updated");
  const backup = await backUp(wordpress, before);
  try {
    const said = await ask(wordpress, after, { url: "/", script: { in: "nido", path: "upgrade.php" } });
    if (said !== "upgraded") throw new Error(`the upgrade said: ${said.slice(0, 500)}`);
    await expectHealth(wordpress, after);
    await db.transaction(async (tx) => {
      await lockUser(tx, row.userId);
      await setCore(tx, projectId, version);
      await announceChange(tx, row.userId);
    });
  } catch (error) {
    log.error({ err: error, project: projectId }, `a site stays on WordPress ${row.core}: it breaks on ${version}`);
    await restoreBackup(wordpress, before, backup);
    await expectHealth(wordpress, before);
  }
  await rm(siteFolder(wordpress.dataDir, projectId).backup, { recursive: true, force: true }).catch(() => undefined);
}
