import type { FastifyBaseLogger } from "fastify";
import { activityJobHandlers } from "../activity/jobHandlers.ts";
import type { Services } from "../app/createServices.ts";
import { requestUpdate } from "../billing/cancelSubscription.ts";
import { billingJobHandlers } from "../billing/jobHandlers.ts";
import { reconcileJob } from "../billing/jobs.ts";
import { certificateJobHandlers } from "../certificates/jobHandlers.ts";
import type { Config } from "../config/parseConfig.ts";
import { SessionLocks } from "../db/SessionLocks.ts";
import { deployJobHandlers } from "../deploys/jobHandlers.ts";
import { domainJobHandlers } from "../domains/jobHandlers.ts";
import { jobPools } from "../jobs/defineJob.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { startJobs } from "../jobs/startJobs.ts";
import { leavingJobHandlers } from "../leaving/jobHandlers.ts";
import { mailJobHandlers } from "../mail/jobHandlers.ts";
import { queueWaiting } from "../mail/queueMail.ts";
import { openTransport } from "../mail/sendMessage.ts";
import { pictureJobHandlers } from "../pictures/jobHandlers.ts";
import { projectJobHandlers } from "../projects/jobHandlers.ts";
import { trafficJobHandlers } from "../traffic/jobHandlers.ts";
import { wordpressJobHandlers } from "../wordpress/jobHandlers.ts";
import { removeSiteFiles } from "../wordpress/lifecycle/archiveSite.ts";
import { setMissingPhp } from "../wordpress/queries.ts";
import { siteLock } from "../wordpress/siteLock.ts";

/** Runs the jobs of all features, each on the schedule in its feature's `jobs.ts`. Returns the function that stops it. */
export async function startWorker(databaseUrl: string, config: Config, services: Services, log: FastifyBaseLogger) {
  const { db, billing, wordpress, deploys, domains, certificates, mail } = services;
  const { sites, upkeep, backups, exports } = jobPools;
  const locks = new SessionLocks(databaseUrl, sites + 2 * (upkeep + backups) + exports + 1, (error) =>
    log.warn({ err: error }, "lost a database connection that held a lock"),
  );
  const transport = mail.smtpUrl ? openTransport(mail.smtpUrl) : undefined;
  const handlers = [
    ...billingJobHandlers(billing),
    ...wordpressJobHandlers(wordpress, config, mail.smtpUrl, locks),
    ...deployJobHandlers(deploys),
    ...domainJobHandlers(domains),
    ...(certificates?.orders ? certificateJobHandlers(certificates.orders) : []),
    ...mailJobHandlers(mail, transport),
    ...activityJobHandlers(db),
    ...trafficJobHandlers(db),
    ...pictureJobHandlers(db, domains.sites),
    ...leavingJobHandlers({ billing, wordpress, deploys, exports: services.exports, locks }, log),
    ...projectJobHandlers(db, log, {
      removeFiles: (projectId) => locks.run(siteLock(projectId), () => removeSiteFiles(wordpress, projectId)),
      onRemoved: (tx, subId) => requestUpdate(tx, subId, "now"),
    }),
  ];
  for (const { name, phpVersions } of wordpress.runtimes)
    if (phpVersions[0]) await setMissingPhp(db, name, phpVersions[0]);
  // Events may have been missed while the product was down.
  await enqueue(db, reconcileJob, {});
  if (transport) await queueWaiting(db);
  const stop = await startJobs(databaseUrl, handlers, log);
  return async () => {
    await stop();
    transport?.close();
    locks.stop();
  };
}
