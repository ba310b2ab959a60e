import type { ActionPayloads } from "@nido/contract";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject } from "../projects/queries.ts";
import { deleteDomainOf, deleteRedirectsTo } from "./queries.ts";
import type { DomainRemoval } from "./restoreDomains.ts";

/**
 * Deletes a domain, and those that redirect to it: they would lead nowhere. Returns its project, whether it was the
 * primary domain, and what is recorded. The controlled domain has no row, so it cannot be deleted.
 */
export async function deleteDomain(tx: Tx, userId: string, payload: ActionPayloads["DELETE_DOMAIN"]) {
  const project = await findOwnProject(tx, userId, payload.project_id);
  if (!project) throw new AppError("error_project_not_found");
  const deleted = await deleteDomainOf(tx, project.id, payload.domain_id);
  if (!deleted) throw new AppError("error_not_found");
  const redirecting = await deleteRedirectsTo(tx, project.id, deleted.domain);
  const activity: Activity = {
    kind: "domainRemoved",
    params: { project: project.name, domain: deleted.domain },
    projectId: project.id,
    undo: { ...deleted, redirecting } satisfies DomainRemoval,
  };
  return { project, wasPrimary: deleted.isPrimary, activity };
}
