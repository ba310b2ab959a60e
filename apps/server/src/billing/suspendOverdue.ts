import { lockUser } from "../account/queries.ts";
import { suspendProject } from "../projects/queries.ts";
import { announceChange } from "../remote/announceChange.ts";
import type { Billing } from "./Billing.ts";
import { findOverdueProjects } from "./queries.ts";

/** Takes down the sites whose payment has been owed for longer than the grace time. */
export async function suspendOverdue({ db, config }: Billing) {
  for (const { id, userId } of await findOverdueProjects(db, config.GRACE_DAYS)) {
    await db.transaction(async (tx) => {
      await lockUser(tx, userId);
      if (await suspendProject(tx, id)) await announceChange(tx, userId);
    });
  }
}
