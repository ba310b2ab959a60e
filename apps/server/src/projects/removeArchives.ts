import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { removeFilesJob } from "./jobs.ts";
import { deleteArchivedProject, findArchivedLongAgo } from "./queries.ts";

export const archiveDays = 30;

/** Deletes the projects that were archived more than 30 days ago, with their archives. */
export async function removeArchives(db: Db, log: FastifyBaseLogger) {
  for (const { id } of await findArchivedLongAgo(db, archiveDays)) {
    const removal = db.transaction(async (tx) => {
      // The delete checks the age again, because an operator may have restored the project meanwhile.
      if (await deleteArchivedProject(tx, id, archiveDays)) await enqueue(tx, removeFilesJob, { projectId: id });
    });
    await removal.catch((error) => log.error({ err: error, project: id }, "could not delete an archived project"));
  }
}
