import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../db/connect.ts";
import { deleteArchivedProject, findArchivedLongAgo } from "./queries.ts";

export interface ArchiveOptions {
  db: Db;
  log: FastifyBaseLogger;
  /** Removes everything of a project that is not in PostgreSQL. */
  removeFiles(projectId: string): Promise<void>;
}

const archiveDays = 30;

/** Deletes the projects that were archived more than 30 days ago, with their archives. */
export async function removeArchives({ db, log, removeFiles }: ArchiveOptions) {
  for (const { id } of await findArchivedLongAgo(db, archiveDays)) {
    try {
      // The delete checks the age again, because an operator may have restored the project meanwhile.
      if (await db.transaction((tx) => deleteArchivedProject(tx, id, archiveDays))) await removeFiles(id);
    } catch (error) {
      log.error({ err: error, project: id }, "could not remove the archive of a deleted project");
    }
  }
}
