import type { FastifyBaseLogger } from "fastify";
import type { Services } from "../app/createServices.ts";
import { billingJobHandlers } from "../billing/jobHandlers.ts";
import { reconcileJob } from "../billing/jobs.ts";
import { certificateJobHandlers } from "../certificates/jobHandlers.ts";
import type { Config } from "../config/parseConfig.ts";
import { deployJobHandlers } from "../deploys/jobHandlers.ts";
import { domainJobHandlers } from "../domains/jobHandlers.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { startJobs } from "../jobs/startJobs.ts";
import { projectJobHandlers } from "../projects/jobHandlers.ts";
import { wordpressJobHandlers } from "../wordpress/jobHandlers.ts";
import { removeSiteFiles } from "../wordpress/lifecycle/archiveSite.ts";

/** Runs the jobs of all features, each on the schedule in its feature's `jobs.ts`. Returns the function that stops it. */
export async function startWorker(databaseUrl: string, config: Config, services: Services, log: FastifyBaseLogger) {
  const { db, billing, wordpress, deploys, domains, certificates } = services;
  const handlers = [
    ...billingJobHandlers(billing),
    ...wordpressJobHandlers(wordpress, config),
    ...deployJobHandlers(deploys),
    ...domainJobHandlers(domains),
    ...(certificates?.orders ? certificateJobHandlers(certificates.orders) : []),
    ...projectJobHandlers({ db, log, removeFiles: (projectId) => removeSiteFiles(wordpress, projectId) }),
  ];
  // Events may have been missed while the product was down.
  await enqueue(db, reconcileJob, {});
  return startJobs(databaseUrl, handlers, log);
}
