import type { ActionPayloads } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject } from "../projects/queries.ts";
import { hasten } from "./queries.ts";

/** The customer has set the records and does not want to wait. */
export async function recheckDomain(tx: Tx, userId: string, payload: ActionPayloads["CHECK_DOMAIN"]) {
  const project = await findOwnProject(tx, userId, payload.project_id);
  if (!project) throw new AppError("error_project_not_found");
  if (!(await hasten(tx, project.id, payload.domain_id))) throw new AppError("error_not_found");
  await enqueue(tx, "checkDomains", {});
}
