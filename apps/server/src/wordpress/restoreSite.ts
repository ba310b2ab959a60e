import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lockUser } from "../account/queries.ts";
import { announceChange } from "../remote/announceChange.ts";
import { expectHealth } from "./ask.ts";
import { restoreBackup } from "./backups.ts";
import { findWordPress, unarchive } from "./queries.ts";
import { siteFolder } from "./siteFolder.ts";
import { siteOf, type WordPress } from "./WordPress.ts";

/** Brings a site back to what a backup holds; one that was archived is its customer's again. */
export async function restoreSite(wordpress: WordPress, projectId: string, backup: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row) return;
  const site = siteOf(wordpress, row);
  await restoreBackup(wordpress, site, backup);
  await writeFile(join(siteFolder(wordpress.dataDir, projectId).state, "pages"), backup).catch(() => undefined);
  await expectHealth(wordpress, site);
  if (!row.archivedAt) return;
  await wordpress.db.transaction(async (tx) => {
    await lockUser(tx, row.userId);
    await unarchive(tx, projectId);
    await announceChange(tx, row.userId);
  });
}
