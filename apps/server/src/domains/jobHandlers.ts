import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { checkDomains } from "./checkDomains.ts";
import type { Domains } from "./Domains.ts";
import { checkDomainsJob } from "./jobs.ts";

export function domainJobHandlers(domains: Domains): JobHandler[] {
  return [handleJob(checkDomainsJob, () => checkDomains(domains))];
}
