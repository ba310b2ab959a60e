import { lockUser } from "../account/queries.ts";
import { operator, record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { findHoldable, setHeld } from "./queries.ts";

/**
 * Suspends a project until an operator resumes it; with `isHeld` false, resumes it. A resumed project whose
 * payment is overdue is suspended again by `suspendOverdue`. Returns false if there is no such project, or
 * nothing to change.
 */
export async function holdProject(db: Db, name: string, isHeld: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    const found = await findHoldable(tx, name);
    if (!found) return false;
    await lockUser(tx, found.userId);
    const project = await findHoldable(tx, name);
    if (!project || (project.heldAt !== null) === isHeld) return false;
    await setHeld(tx, project.id, isHeld);
    const entry = { projectId: project.id, params: { project: project.name } };
    if (isHeld)
      await record(tx, project.userId, operator, {
        ...entry,
        kind: "projectSuspended",
        params: { ...entry.params, why: "operator" },
      });
    else await record(tx, project.userId, operator, { ...entry, kind: "projectResumed" });
    await announceChange(tx, project.userId);
    return true;
  });
}
