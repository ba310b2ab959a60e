import type { FastifyBaseLogger } from "fastify";
import { lockUser } from "../account/queries.ts";
import type { Db, Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { archiveDays } from "../platform/keptUntil.ts";
import { removeFilesJob } from "./jobs.ts";
import { deleteArchivedProject, findArchivedLongAgo } from "./queries.ts";

/** Deletes the projects that were archived more than 30 days ago, with their archives. `onRemoved` ends what paid for them. */
export async function removeArchives(
  db: Db,
  log: FastifyBaseLogger,
  onRemoved: (tx: Tx, subId: string) => Promise<void>,
) {
  for (const { id, userId } of await findArchivedLongAgo(db, archiveDays)) {
    const removal = db.transaction(async (tx) => {
      await lockUser(tx, userId);
      // The delete checks the age again, because the project may have been restored meanwhile.
      const subId = await deleteArchivedProject(tx, id, archiveDays);
      if (!subId) return;
      await enqueue(tx, removeFilesJob, { projectId: id });
      await onRemoved(tx, subId);
    });
    await removal.catch((error) => log.error({ err: error, project: id }, "could not delete an archived project"));
  }
}
