import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { folderSize } from "../../platform/folderSize.ts";
import { setDiskUsed } from "../../projects/queries.ts";
import { findRunning } from "../queries.ts";
import { siteFolder } from "../siteFolder.ts";
import type { WordPress } from "../WordPress.ts";

/** Measures the disk use of each site and updates its customer's state if it changed. */
export async function measureSites({ db, dataDir, log }: WordPress) {
  for (const { id, userId, diskUsed } of await findRunning(db)) {
    const used = await folderSize(siteFolder(dataDir, id).root).catch((error) => {
      log.warn({ err: error, project: id }, "could not measure the disk use of a site");
      return diskUsed;
    });
    if (used === diskUsed) continue;
    await db.transaction(async (tx) => {
      await lockUser(tx, userId);
      await setDiskUsed(tx, id, used);
      await announceChange(tx, userId);
    });
  }
}
