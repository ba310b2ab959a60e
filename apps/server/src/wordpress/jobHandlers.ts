import type { Config } from "../config/parseConfig.ts";
import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { KeyedMutex } from "../platform/KeyedMutex.ts";
import { findUnsaved } from "./dueSites.ts";
import {
  archiveSiteJob,
  backUpSiteJob,
  backUpSitesJob,
  measureSitesJob,
  moveSiteJob,
  provisionWordPressJob,
  restoreSiteJob,
  runCronJob,
  sendMailJob,
  updateCoreJob,
  updateSiteJob,
} from "./jobs.ts";
import { clusterJobHandlers } from "./kubernetes/jobHandlers.ts";
import { KubernetesRuntime } from "./kubernetes/KubernetesRuntime.ts";
import { archiveSite } from "./lifecycle/archiveSite.ts";
import { moveSite } from "./lifecycle/moveSite.ts";
import { provisionWordPress } from "./lifecycle/provisionWordPress.ts";
import { restoreSite } from "./lifecycle/restoreSite.ts";
import { backUpSite } from "./upkeep/backups.ts";
import { measureSites } from "./upkeep/measureSites.ts";
import { runCron } from "./upkeep/runCron.ts";
import { sendMail } from "./upkeep/sendMail.ts";
import { updateCore, updateSite } from "./upkeep/updateCore.ts";
import type { WordPress } from "./WordPress.ts";

/** How many backups are enqueued at a time. The job runs every five minutes at night. */
const maxBackups = 2500;

export function wordpressJobHandlers(wordpress: WordPress, config: Config): JobHandler[] {
  const mailer = { smtpUrl: config.SMTP_URL, from: config.MAIL_FROM ?? config.SUPPORT_EMAIL };
  // Two jobs never work on one site at the same time.
  const sites = new KeyedMutex();
  const alone = (projectId: string, work: () => Promise<void>) => sites.run(projectId, work);

  return [
    handleJob(provisionWordPressJob, (order, attempt) =>
      alone(order.projectId, () => provisionWordPress(wordpress, order, attempt)),
    ),
    handleJob(archiveSiteJob, ({ projectId }) => alone(projectId, () => archiveSite(wordpress, projectId))),
    handleJob(backUpSiteJob, ({ projectId, isNightly }) =>
      alone(projectId, () => backUpSite(wordpress, projectId, isNightly)),
    ),
    handleJob(restoreSiteJob, ({ projectId, backup }) =>
      alone(projectId, () => restoreSite(wordpress, projectId, backup)),
    ),
    handleJob(moveSiteJob, ({ projectId }) => alone(projectId, () => moveSite(wordpress, projectId))),
    handleJob(updateSiteJob, ({ projectId }) => alone(projectId, () => updateSite(wordpress, projectId))),
    handleJob(updateCoreJob, () => updateCore(wordpress)),
    handleJob(backUpSitesJob, async () => {
      for (const { id } of await findUnsaved(wordpress.db, maxBackups))
        await enqueue(wordpress.db, backUpSiteJob, { projectId: id, isNightly: true });
    }),
    handleJob(runCronJob, () => runCron(wordpress)),
    handleJob(sendMailJob, () => sendMail(wordpress, mailer)),
    handleJob(measureSitesJob, () => measureSites(wordpress)),
    ...(wordpress.runtime instanceof KubernetesRuntime
      ? clusterJobHandlers(wordpress, wordpress.runtime, config.KUBERNETES_IDLE_MINUTES)
      : []),
  ];
}
