import { type ActionPayloads, domainsPerProject, toDomainHost } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../http/AppError.ts";
import type { Sites } from "../projects/presentProject.ts";
import { findOwnProject } from "../projects/queries.ts";
import { countDomains, insertDomain } from "./queries.ts";

/** Assigns a host name to a project. It is pending: nothing is served there before it is verified. */
export async function addDomain(tx: Tx, userId: string, payload: ActionPayloads["NEW_DOMAIN"], sites: Sites) {
  const host = toDomainHost(payload.domain);
  if (!host || isOurs(host, sites)) throw new AppError("error_domain_invalid");
  const project = await findOwnProject(tx, userId, payload.project_id);
  if (!project) throw new AppError("error_project_not_found");
  // The customer's row is locked: nobody else counts at the same time.
  if ((await countDomains(tx, project.id)) >= domainsPerProject) throw new AppError("error_domain_limit");

  const domain = await insertDomain(tx, project.id, payload.domain.trim(), host);
  if (!domain) throw new AppError("error_domain_duplicate"); // the unique index refused it
}

function isOurs(host: string, { domain, appHost }: Sites): boolean {
  const ours = domain.replace(/:\d+$/, "");
  return host === appHost || host === ours || host.endsWith(`.${ours}`);
}
