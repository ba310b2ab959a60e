import { type Branch, type Deploy, mainBranch } from "@nido/contract";
import { deployUrl } from "../domains/deployAddress.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";

/** As `loadState` reads it: timestamps are text in JSON. */
export interface DeployRow {
  id: string;
  branch: string;
  message: string;
  createdAt: string;
  finishedAt: string | null;
  files: number;
  size: number;
  missing: number;
  received: number;
  added: number;
  changed: number;
  removed: number;
  findings: number;
  author: string;
}

/** As `loadState` reads it. */
export interface BranchRow {
  name: string;
  deployId: string;
  /** the newest deploy of its history that still exists */
  previousId: string | null;
  changedAt: string;
}

export function presentDeploy(row: DeployRow, project: string, sites: SiteAddresses): Deploy {
  const { id, branch, message, createdAt, finishedAt, files, size, missing, received } = row;
  const url = finishedAt ? deployUrl(project, id, sites) : undefined;
  return {
    id,
    branch,
    message,
    created_at: new Date(createdAt).toISOString(),
    ...(finishedAt && { finished_at: new Date(finishedAt).toISOString() }),
    ...(url && { url }),
    files,
    size,
    changes: { added: row.added, changed: row.changed, removed: row.removed },
    findings: row.findings,
    author: row.author,
    progress: finishedAt || missing === 0 ? 1 : received / missing,
  };
}

/** The address of a branch. */
export function branchUrl(name: string, branch: string, { scheme, domain }: SiteAddresses): string {
  return `${scheme}//${branch === mainBranch ? name : `${branch}--${name}`}.${domain}`;
}

export function presentBranches(project: string, rows: BranchRow[], sites: SiteAddresses): Record<string, Branch> {
  return Object.fromEntries(rows.map((row) => [row.name, presentBranch(project, row, sites)]));
}

function presentBranch(project: string, { name, deployId, previousId, changedAt }: BranchRow, sites: SiteAddresses) {
  return {
    url: branchUrl(project, name, sites),
    deploy: deployId,
    ...(previousId && { previous: previousId }),
    changed_at: new Date(changedAt).toISOString(),
  };
}
