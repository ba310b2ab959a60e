import { type ActionPayloads, counterpartOf, domainsPerProject, typedHost } from "@nido/contract";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import { findOwnProject } from "../projects/queries.ts";
import { checkDomainsJob } from "./jobs.ts";
import { countDomains, insertDomain, isAssigned } from "./queries.ts";
import { toPublicHost } from "./toPublicHost.ts";

/** Adds a domain to a project, as pending: it is served only once it is verified. */
export async function addDomain(
  tx: Tx,
  userId: string,
  payload: ActionPayloads["NEW_DOMAIN"],
  sites: SiteAddresses,
): Promise<Activity> {
  const domain = toPublicHost(payload.domain, sites);
  if (!domain) throw new AppError("error_domain_invalid");
  const other = payload.with_counterpart ? counterpartOf(domain) : undefined;
  if (payload.with_counterpart && !(other && toPublicHost(other, sites))) throw new AppError("error_domain_invalid");
  const project = await findOwnProject(tx, userId, payload.project_id);
  if (!project) throw new AppError("error_project_not_found");

  // The customer's row is locked, so the count cannot change meanwhile.
  const added = other ? [domain, other] : [domain];
  if ((await countDomains(tx, project.id)) + added.length > domainsPerProject) throw new AppError("error_domain_limit");
  for (const host of added) if (await isAssigned(tx, userId, host)) throw new AppError("error_domain_duplicate");
  await insertDomain(tx, { projectId: project.id, name: typedHost(payload.domain), domain });
  if (other) await insertDomain(tx, { projectId: project.id, name: other, domain: other, redirectsTo: domain });
  await enqueue(tx, checkDomainsJob, {});
  return { kind: "domainAdded", params: { project: project.name, domain }, projectId: project.id };
}
