import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Billing } from "../Billing.ts";
import { findOverdueProjects, suspendOverdueProject } from "../queries.ts";

/** Takes down the sites whose payment has been owed for longer than the grace time. */
export async function suspendOverdue({ db, config: { GRACE_DAYS: days } }: Billing) {
  for (const { id, userId } of await findOverdueProjects(db, days)) {
    await db.transaction(async (tx) => {
      await lockUser(tx, userId);
      // Asked again under the lock: it may have been paid meanwhile.
      if (await suspendOverdueProject(tx, id, days)) await announceChange(tx, userId);
    });
  }
}
