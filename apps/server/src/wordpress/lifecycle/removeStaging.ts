import type { Db, Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { removeFilesJob } from "../../projects/jobs.ts";
import { deleteStaging } from "../../projects/queries.ts";

/** Removes the staging copy of a site, now from the customer's view, and shortly after from the machine. */
export async function removeStaging(db: Db | Tx, projectId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const id = await deleteStaging(tx, projectId);
    if (id) await enqueue(tx, removeFilesJob, { projectId: id });
    return id !== undefined;
  });
}
