import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { findWordPress, unarchive, updateWordPress } from "../queries.ts";
import { ask, healthOf } from "../requestSite.ts";
import { siteFolder } from "../siteFolder.ts";
import { backUp, restoreBackup } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { move } from "./moveSite.ts";

/** Brings a site back to what a backup holds, after a backup of what it is now; an archived one is its customer's again. */
export async function restoreSite(wordpress: WordPress, projectId: string, backup: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row) return;
  // A machine that was lost had a version that may not be here.
  const { version } = await wordpress.cores.current();
  const core = existsSync(wordpress.cores.open(row.core).folder) ? row.core : version;
  const site = { ...siteOf(wordpress, row), core };
  const { mark } = siteFolder(wordpress.dataDir, projectId);
  // On a machine that was lost there is nothing of it yet.
  if (!row.archivedAt && existsSync(mark)) await backUp(wordpress, site, backup);
  await restoreBackup(wordpress, site, backup);
  await mkdir(dirname(mark), { recursive: true });
  await writeFile(mark, site.core);
  if (core !== row.core) await ask(wordpress, site, { url: "/", script: { in: "nido", path: "upgrade.php" } });
  // It may have had another address then.
  await move(wordpress, site).catch(async (error) => {
    wordpress.log.warn({ err: error, project: projectId }, "a restored site does not know its address yet");
    await enqueue(wordpress.db, "moveSite", { projectId });
  });
  const health = await healthOf(wordpress, site);
  if (health.some((status) => status >= 500))
    wordpress.log.warn({ project: projectId, health }, "a restored site does not answer well");
  if (!row.archivedAt && core === row.core) return;
  await wordpress.db.transaction(async (tx) => {
    await lockUser(tx, row.userId);
    await updateWordPress(tx, projectId, { core });
    if (row.archivedAt) await unarchive(tx, projectId);
    await announceChange(tx, row.userId);
  });
}
