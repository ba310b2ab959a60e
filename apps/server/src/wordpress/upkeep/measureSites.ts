import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { setDiskUsed } from "../../projects/queries.ts";
import { findUnmeasured, markMeasured } from "../dueSites.ts";
import type { WordPress } from "../WordPress.ts";

const maxSites = 10_000;

/** Measures the disk use of the sites that were in use, and updates their customers' state if it changed. */
export async function measureSites({ db, runtimeOf, log }: WordPress) {
  for (const { id, userId, diskUsed, runtime } of await findUnmeasured(db, maxSites)) {
    const measure = async () => runtimeOf({ runtime }).diskUse(id);
    const used = await measure().catch((error) => {
      log.warn({ err: error, project: id }, "could not measure the disk use of a site");
      return diskUsed;
    });
    await markMeasured(db, id);
    if (used === diskUsed) continue;
    await db.transaction(async (tx) => {
      await lockUser(tx, userId);
      await setDiskUsed(tx, id, used);
      await announceChange(tx, userId);
    });
  }
}
