import {
  type Certificate,
  categoryOf,
  type Domain,
  type ErrorKey,
  mainBranch,
  type Project,
  resourcesOf,
  type SiteWork,
  type StagingSite,
} from "@nido/contract";
import type { domains, projects, StoredWork } from "../db/schema.ts";
import { type BranchRow, type DeployRow, presentBranches, presentDeploy } from "../deploys/presentDeploys.ts";
import { expectedRecords } from "../domains/dnsRecords.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";

type DomainRow = Pick<
  typeof domains.$inferSelect,
  "id" | "name" | "domain" | "branch" | "status" | "redirectsTo" | "isPrimary" | "seen" | "reason"
> & {
  checkedAt: string | null;
  hadOtherHolders: boolean;
  certificate: { notAfter: string | null; problem: ErrorKey | null } | null;
};

/** As `loadState` reads it: timestamps are text in JSON. */
export type ProjectRow = Pick<
  typeof projects.$inferSelect,
  "id" | "name" | "recipe" | "recipeId" | "subId" | "status" | "diskUsed" | "hasHsts"
> & {
  domains: DomainRow[];
  progress: Project["progress"] | null;
  backedUpAt: string | null;
  pictureAt: string | null;
  work: StoredWork | null;
  staging: { id: string; name: string; copiedAt: string | null } | null;
  deploys: DeployRow[];
  branches: BranchRow[];
  passwords: string[];
};

export function presentProject(
  row: ProjectRow,
  storage: NonNullable<Project["storage"]>,
  userId: string,
  sites: SiteAddresses,
): Project {
  const host = `${row.name}.${sites.domain}`;
  const main = mainDomain(row);
  const added = row.domains.map((domain) => {
    const isPrimary = categoryOf(row.recipe) === "wordpress" ? domain.isPrimary : domain === main;
    return [domain.id, presentDomain({ ...domain, isPrimary }, row.name, userId, sites)] as const;
  });
  return {
    id: row.id,
    name: row.name,
    recipe: row.recipe,
    recipe_id: row.recipeId,
    sub_id: row.subId,
    status: row.status,
    ...(row.progress && { progress: row.progress }),
    ...(row.pictureAt && { picture: `/api/projects/${row.id}/picture?at=${Date.parse(row.pictureAt)}` }),
    ...(row.work && { work: presentWork(row.work) }),
    ...(row.staging && { staging: presentStaging(row.staging, sites) }),
    ...(row.backedUpAt && { backed_up_at: new Date(row.backedUpAt).toISOString() }),
    disk: { used: row.diskUsed, allowed: resourcesOf(row.recipe).disk },
    url: `${sites.scheme}//${host}`,
    address: `${sites.scheme}//${main ? main.domain + portOf(sites) : host}`,
    // The controlled domain follows from the name, so it has no row and a fixed key.
    domains: { controlled: presentControlledDomain(row, host), ...Object.fromEntries(added) },
    ...(sites.scheme === "https:" && { hsts: row.hasHsts }),
    ...(categoryOf(row.recipe) === "static" && {
      storage,
      passwords: row.passwords,
      deploys: Object.fromEntries(row.deploys.map((deploy) => [deploy.id, presentDeploy(deploy, row.name, sites)])),
      branches: presentBranches(row.name, row.branches, sites),
    }),
  };
}

/** The added domain that visitors use: the primary one, of a static site else its first; undefined for the controlled one. */
function mainDomain({ recipe, domains }: ProjectRow): DomainRow | undefined {
  const served = domains.filter(({ status }) => status !== "pending");
  const chosen = served.find(({ isPrimary }) => isPrimary);
  if (chosen || categoryOf(recipe) === "wordpress") return chosen;
  return served.find(({ redirectsTo, branch }) => !redirectsTo && branch === mainBranch);
}

function presentWork({ kind, progress, has_failed: hasFailed, snapshot }: StoredWork): SiteWork {
  const isDamaged = hasFailed && snapshot !== undefined;
  return { kind, progress, ...(hasFailed && { has_failed: true }), ...(isDamaged && { is_damaged: true }) };
}

function presentStaging({ id, name, copiedAt }: NonNullable<ProjectRow["staging"]>, sites: SiteAddresses): StagingSite {
  const url = `${sites.scheme}//${name}.${sites.domain}`;
  return { id, url, ...(copiedAt && { copied_at: new Date(copiedAt).toISOString() }) };
}

function portOf(sites: SiteAddresses): string {
  return /:\d+$/.exec(sites.domain)?.[0] ?? "";
}

function presentControlledDomain({ recipe, domains }: ProjectRow, host: string): Domain {
  const isPrimary = categoryOf(recipe) === "wordpress" && !domains.some((domain) => domain.isPrimary);
  return {
    name: host,
    domain: host,
    controlled: true,
    branch: "main",
    status: "verified",
    ...(isPrimary && { primary: true }),
  };
}

function presentDomain(row: DomainRow, project: string, userId: string, sites: SiteAddresses): Domain {
  const { name, domain, branch, status, isPrimary, redirectsTo, seen, reason, checkedAt, hadOtherHolders } = row;
  return {
    name,
    domain,
    controlled: false,
    branch,
    status,
    ...(isPrimary && { primary: true }),
    ...(redirectsTo && { redirects_to: redirectsTo }),
    expected: expectedRecords({ domain, project, userId, hadOtherHolders }, sites),
    seen,
    ...(reason && { reason }),
    ...(checkedAt && { checked_at: new Date(checkedAt).toISOString() }),
    ...(row.certificate && { certificate: presentCertificate(row.certificate) }),
  };
}

function presentCertificate({ notAfter, problem }: NonNullable<DomainRow["certificate"]>): Certificate {
  const validUntil = notAfter && new Date(notAfter);
  if (validUntil && validUntil.getTime() > Date.now())
    return { status: "valid", valid_until: validUntil.toISOString() };
  return problem ? { status: "problem", reason: problem } : { status: "issuing" };
}
