import { type ActionPayloads, categoryOf } from "@nido/contract";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import { findOwnProject } from "../projects/queries.ts";
import { findPrimary, isPlainDomain, setPrimaryOf } from "./queries.ts";

export const controlled = "controlled";

/** How to take back a change of the primary domain. */
export interface PrimaryChange {
  before: string;
  after: string;
}

/** Chooses a project's primary domain: a verified one, or the controlled one. Returns what changed, if anything. */
export async function setPrimary(
  tx: Tx,
  userId: string,
  payload: ActionPayloads["SET_PRIMARY_DOMAIN"],
  sites: SiteAddresses,
): Promise<Activity | undefined> {
  const project = await findOwnProject(tx, userId, payload.project_id);
  if (!project) throw new AppError("error_project_not_found");
  // A static site's redirects and branches stay as they are.
  const isStatic = categoryOf(project.recipe) === "static";
  if (isStatic && !(await isPlainDomain(tx, project.id, payload.domain_id)))
    throw new AppError("error_domain_not_configured");
  const before = await findPrimary(tx, project.id);
  const isSet = await setPrimaryOf(tx, project.id, payload.domain_id);
  if (!isSet && payload.domain_id !== controlled) throw new AppError("error_domain_not_configured");
  const after = await findPrimary(tx, project.id);
  if (after?.id === before?.id) return undefined;
  const undo: PrimaryChange = { before: before?.id ?? controlled, after: after?.id ?? controlled };
  const domain = after?.domain ?? `${project.name}.${sites.domain}`;
  return { kind: "primaryChanged", params: { project: project.name, domain }, projectId: project.id, undo };
}
