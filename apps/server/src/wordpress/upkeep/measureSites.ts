import { resourcesOf } from "@nido/contract";
import { lockUser } from "../../account/queries.ts";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { setDiskUsed } from "../../projects/queries.ts";
import { findUnmeasured, markMeasured } from "../dueSites.ts";
import type { WordPress } from "../WordPress.ts";

const maxSites = 10_000;

/** Measures the disk use of the sites that were in use, and updates their customers' state if it changed. */
export async function measureSites({ db, runtimeOf, log }: WordPress) {
  for (const { id, userId, name, recipe, diskUsed, runtime, stagingOf } of await findUnmeasured(db, maxSites)) {
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
      const percent = crossedThreshold(diskUsed, used, resourcesOf(recipe).disk);
      if (percent && !stagingOf) {
        await mailCustomer(tx, userId, "diskWarning", { projectId: id, name, percent });
        const params = { project: name, percent };
        await record(tx, userId, platform, { kind: "diskWarning", params, projectId: id });
      }
      await announceChange(tx, userId);
    });
  }
}

/** The highest warning level that the disk use has reached since the last measurement. */
function crossedThreshold(before: number, now: number, allowed: number): 80 | 95 | undefined {
  return ([95, 80] as const).find((percent) => before < (allowed * percent) / 100 && now >= (allowed * percent) / 100);
}
