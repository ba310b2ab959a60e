import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { findHoldable, setHeld } from "./queries.ts";

/**
 * Takes a site down whatever is paid for it, or gives it back; one whose payment is owed is suspended again by itself.
 * False where there is no such site, or it is so already.
 */
export async function holdProject(db: Db, name: string, isHeld: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    const found = await findHoldable(tx, name);
    if (!found) return false;
    await lockUser(tx, found.userId);
    const project = await findHoldable(tx, name);
    if (!project || (project.heldAt !== null) === isHeld) return false;
    await setHeld(tx, project.id, isHeld);
    await announceChange(tx, project.userId);
    return true;
  });
}
