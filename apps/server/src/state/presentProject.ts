import { categoryOf, type Domain, type Project, resourcesOf } from "@nido/contract";
import type { domains, projects } from "../db/schema.ts";
import { type DeployEntry, presentBranches, presentDeploy } from "../deploys/presentDeploys.ts";
import { expectedRecords } from "../domains/records.ts";

type DomainRow = Pick<
  typeof domains.$inferSelect,
  "id" | "name" | "domain" | "branch" | "status" | "redirectsTo" | "isPrimary" | "seen" | "reason"
> & { checkedAt: string | null; hadOthers: boolean };
export type ProjectRow = Pick<
  typeof projects.$inferSelect,
  "id" | "name" | "recipe" | "recipeId" | "subId" | "status" | "diskUsed"
> & {
  domains: DomainRow[];
  progress: Project["progress"] | null;
  deploys: DeployEntry[];
  branches: { name: string; deployId: string }[];
};

/** Where customers' sites answer. */
export interface Sites {
  scheme: string;
  /** with the port, where it is not the scheme's own */
  domain: string;
  /** the dashboard's own host, which is nobody's site */
  appHost: string;
  /** where names are pointed that cannot be a CNAME */
  addresses: string[];
}

export function presentProject(row: ProjectRow, userId: string, sites: Sites): Project {
  const host = `${row.name}.${sites.domain}`;
  const isBlog = categoryOf(row.recipe) === "wordpress";
  const controlled: Domain = {
    name: host,
    domain: host,
    controlled: true,
    branch: "main",
    status: "verified",
    ...(isBlog && !row.domains.some(({ isPrimary }) => isPrimary) && { primary: true }),
  };
  const added = row.domains.map((domain): [string, Domain] => [
    domain.id,
    presentDomain(domain, row.name, userId, sites),
  ]);
  return {
    id: row.id,
    name: row.name,
    recipe: row.recipe,
    recipe_id: row.recipeId,
    sub_id: row.subId,
    status: row.status,
    ...(row.progress && { progress: row.progress }),
    disk: { used: row.diskUsed, allowed: resourcesOf(row.recipe).disk },
    url: `${sites.scheme}//${host}`,
    // The controlled domain follows from the name, so its key needs no row of its own.
    domains: { controlled, ...Object.fromEntries(added) },
    ...(categoryOf(row.recipe) === "static" && {
      deploys: Object.fromEntries(row.deploys.map((deploy) => [deploy.id, presentDeploy(deploy)])),
      branches: presentBranches(row.name, row.branches, sites),
    }),
  };
}

function presentDomain(row: DomainRow, project: string, userId: string, sites: Sites): Domain {
  const { name, domain, branch, status, isPrimary, redirectsTo, seen, reason, checkedAt, hadOthers } = row;
  return {
    name,
    domain,
    controlled: false,
    branch,
    status,
    ...(isPrimary && { primary: true }),
    ...(redirectsTo && { redirects_to: redirectsTo }),
    expected: expectedRecords({ domain, project, userId, hadOthers }, sites),
    seen,
    ...(reason && { reason }),
    ...(checkedAt && { checked_at: new Date(checkedAt).toISOString() }),
  };
}
