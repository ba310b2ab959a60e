import type { RestoreParts } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { findOwnProject, insertStaging } from "../projects/queries.ts";
import { copyToStagingJob } from "./jobs.ts";
import { copySiteRow, type SiteRow } from "./queries.ts";
import { beginWork } from "./work.ts";

/** Enqueues a new staging copy of a site, with parts of a backup if there is one. */
export async function requestStaging(tx: Tx, site: SiteRow, from?: { backup: string; parts: RestoreParts }) {
  const id = await beginWork(tx, site.id, { kind: "copy", ...(from && { backup: from.backup }) });
  await insertStagingRows(tx, site);
  await enqueue(tx, copyToStagingJob, { projectId: site.id, id, ...from });
}

/** Unless there is a copy. */
export async function insertStagingRows(tx: Tx, { id, userId }: SiteRow) {
  const project = await findOwnProject(tx, userId, id);
  const stagingId = project && (await insertStaging(tx, project));
  if (stagingId) await copySiteRow(tx, id, stagingId);
}
