import { type ActionPayloads, toDomainHost } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../http/AppError.ts";
import { findOwnProject } from "../projects/queries.ts";
import { insertDomain } from "./queries.ts";

/** Assigns a host name to a project. It is pending: nothing is served there before it is verified. */
export async function addDomain(tx: Tx, userId: string, payload: ActionPayloads["NEW_DOMAIN"], sitesDomain: string) {
  const host = toDomainHost(payload.domain);
  if (!host || isOurs(host, sitesDomain)) throw new AppError("error_domain_invalid");
  const project = await findOwnProject(tx, userId, payload.project_id);
  if (!project) throw new AppError("error_project_not_found");

  const domain = await insertDomain(tx, project.id, payload.domain.trim(), host);
  if (!domain) throw new AppError("error_domain_duplicate"); // the unique index refused it
}

function isOurs(host: string, sitesDomain: string): boolean {
  const ours = sitesDomain.replace(/:\d+$/, "");
  return host === ours || host.endsWith(`.${ours}`);
}
