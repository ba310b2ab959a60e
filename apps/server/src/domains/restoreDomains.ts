import { domainsPerProject } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import type { domains } from "../db/schema.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { checkDomainsJob } from "./jobs.ts";
import { countDomains, insertDomain, isAssigned } from "./queries.ts";

/** What is kept of a removed domain. */
export type RemovedDomain = Pick<
  typeof domains.$inferSelect,
  "name" | "domain" | "branch" | "redirectsTo" | "isPrimary"
>;

/** How to take back the deletion of a domain. */
export interface DomainRemoval extends RemovedDomain {
  /** the domains that were deleted with it; absent in older entries */
  redirecting?: RemovedDomain[];
}

/** Adds removed domains to their project again, as pending: they may have changed hands. Returns those that could be added. */
export async function restoreDomains(tx: Tx, userId: string, projectId: string, removed: RemovedDomain[]) {
  const restored: string[] = [];
  for (const domain of removed) {
    if ((await countDomains(tx, projectId)) >= domainsPerProject || (await isAssigned(tx, userId, domain.domain)))
      continue;
    await insertDomain(tx, { ...domain, projectId });
    restored.push(domain.domain);
  }
  if (restored.length > 0) await enqueue(tx, checkDomainsJob, {});
  return restored;
}
