import type { ActionPayloads } from "@nido/contract";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject } from "../projects/queries.ts";
import { deleteDomainOf } from "./queries.ts";
import type { RemovedDomain } from "./restoreDomains.ts";

/**
 * Deletes a domain. Returns its project, whether it was the primary domain, and what is recorded. The controlled domain
 * has no row, so it cannot be deleted.
 */
export async function deleteDomain(tx: Tx, userId: string, payload: ActionPayloads["DELETE_DOMAIN"]) {
  const project = await findOwnProject(tx, userId, payload.project_id);
  if (!project) throw new AppError("error_project_not_found");
  const deleted = await deleteDomainOf(tx, project.id, payload.domain_id);
  if (!deleted) throw new AppError("error_not_found");
  const activity: Activity = {
    kind: "domainRemoved",
    params: { project: project.name, domain: deleted.domain },
    projectId: project.id,
    undo: deleted satisfies RemovedDomain,
  };
  return { project, wasPrimary: deleted.isPrimary, activity };
}
