import type { ActionPayloads } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject } from "../projects/queries.ts";
import { checkDomainsJob } from "./jobs.ts";
import { scheduleCheck } from "./queries.ts";

/** Checks a domain at once: the customer has just set its records. */
export async function recheckDomain(tx: Tx, userId: string, payload: ActionPayloads["CHECK_DOMAIN"]) {
  const project = await findOwnProject(tx, userId, payload.project_id);
  if (!project) throw new AppError("error_project_not_found");
  if (!(await scheduleCheck(tx, project.id, payload.domain_id))) throw new AppError("error_not_found");
  await enqueue(tx, checkDomainsJob, {});
}
