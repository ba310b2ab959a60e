import { type Branch, type Deploy, mainBranch } from "@nido/contract";
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
  author: string;
}

export function presentDeploy(row: DeployRow): Deploy {
  const { id, branch, message, createdAt, finishedAt, files, size, missing, received } = row;
  return {
    id,
    branch,
    message,
    created_at: new Date(createdAt).toISOString(),
    ...(finishedAt && { finished_at: new Date(finishedAt).toISOString() }),
    files,
    size,
    changes: { added: row.added, changed: row.changed, removed: row.removed },
    author: row.author,
    progress: finishedAt || missing === 0 ? 1 : received / missing,
  };
}

/** The address of a branch. */
export function branchUrl(name: string, branch: string, { scheme, domain }: SiteAddresses): string {
  return `${scheme}//${branch === mainBranch ? name : `${branch}--${name}`}.${domain}`;
}

export function presentBranches(
  name: string,
  rows: { name: string; deployId: string }[],
  sites: SiteAddresses,
): Record<string, Branch> {
  return Object.fromEntries(
    rows.map((row) => [row.name, { url: branchUrl(name, row.name, sites), deploy: row.deployId }]),
  );
}
