import type { UpdateRequest } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { updateOwnSiteJob } from "./jobs.ts";
import { beginWork } from "./work.ts";

/** Enqueues an update of a site. */
export async function requestUpdate(tx: Tx, projectId: string, { core, php, plugins, themes }: UpdateRequest) {
  const id = await beginWork(tx, projectId, { kind: "update" });
  await enqueue(tx, updateOwnSiteJob, { projectId, id, ...(core && { core }), ...(php && { php }), plugins, themes });
}
