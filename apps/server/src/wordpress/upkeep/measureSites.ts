import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { measureFolder } from "../../platform/folderSize.ts";
import { findRunning, setDiskUsed } from "../queries.ts";
import { siteFolder } from "../siteFolder.ts";
import type { WordPress } from "../WordPress.ts";

/** Looks how much each site has on disk, and tells its owner where that has changed. */
export async function measureSites({ db, dataDir, log }: WordPress) {
  for (const { id, userId, diskUsed } of await findRunning(db)) {
    const used = await measureFolder(siteFolder(dataDir, id).root).catch((error) => {
      log.warn({ err: error, project: id }, "a site could not be measured");
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
