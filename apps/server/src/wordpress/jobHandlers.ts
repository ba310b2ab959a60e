import type { Config } from "../config/parseConfig.ts";
import type { SessionLocks } from "../db/SessionLocks.ts";
import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { findUnsaved } from "./dueSites.ts";
import {
  archiveSiteJob,
  backUpSiteJob,
  backUpSitesJob,
  makeBackupJob,
  measureSitesJob,
  moveSiteJob,
  ownersAttempts,
  provisionWordPressJob,
  restoreSiteJob,
  runCronJob,
  sendMailJob,
  transferSiteJob,
  unarchiveSiteJob,
  updateCoreJob,
  updateSiteJob,
} from "./jobs.ts";
import { clusterJobHandlers } from "./kubernetes/jobHandlers.ts";
import { KubernetesRuntime } from "./kubernetes/KubernetesRuntime.ts";
import { archiveSite } from "./lifecycle/archiveSite.ts";
import { moveSite } from "./lifecycle/moveSite.ts";
import { provisionWordPress } from "./lifecycle/provisionWordPress.ts";
import { restoreSite } from "./lifecycle/restoreSite.ts";
import { transferSite } from "./lifecycle/transferSite.ts";
import { unarchiveSite } from "./lifecycle/unarchiveSite.ts";
import { findWordPress } from "./queries.ts";
import { siteLock } from "./siteLock.ts";
import { backUpSite, makeBackup, reportFailedBackup } from "./upkeep/backups.ts";
import { measureSites } from "./upkeep/measureSites.ts";
import { runCron } from "./upkeep/runCron.ts";
import { sendMail } from "./upkeep/sendMail.ts";
import { updateCore, updateSite } from "./upkeep/updateCore.ts";
import type { WordPress } from "./WordPress.ts";
import { reportFailedWork } from "./work.ts";

/** How many backups are enqueued at a time. The job runs every five minutes at night. */
const maxBackups = 2500;

export function wordpressJobHandlers(
  wordpress: WordPress,
  config: Config,
  smtpUrl: string | undefined,
  locks: SessionLocks,
): JobHandler[] {
  const mailer = { smtpUrl, from: config.MAIL_FROM ?? config.SUPPORT_EMAIL };
  // Two jobs never work on one site at the same time, whichever workers run them.
  const alone = (projectId: string, work: () => Promise<void>) => locks.run(siteLock(projectId), work);
  const idle = { idleMinutes: config.KUBERNETES_IDLE_MINUTES, isFree: (id: string) => locks.isFree(siteLock(id)) };
  const kubernetes = wordpress.runtimes.find((runtime) => runtime instanceof KubernetesRuntime);

  const reportingFailure = (projectId: string, attempt: number, work: () => Promise<void>) =>
    work().catch(async (error) => {
      if (attempt >= ownersAttempts) await reportFailedWork(wordpress.db, await findWordPress(wordpress.db, projectId));
      throw error;
    });

  return [
    handleJob(provisionWordPressJob, (order, attempt) =>
      alone(order.projectId, () => provisionWordPress(wordpress, order, attempt)),
    ),
    handleJob(archiveSiteJob, ({ projectId }) => alone(projectId, () => archiveSite(wordpress, projectId))),
    handleJob(unarchiveSiteJob, ({ projectId }) => alone(projectId, () => unarchiveSite(wordpress, projectId))),
    handleJob(backUpSiteJob, ({ projectId, isNightly }, attempt) =>
      alone(projectId, () =>
        backUpSite(wordpress, projectId, isNightly).catch(async (error) => {
          if (attempt === 2) await reportFailedBackup(wordpress, projectId);
          throw error;
        }),
      ),
    ),
    handleJob(makeBackupJob, ({ projectId, note, actor }, attempt) =>
      alone(projectId, () => reportingFailure(projectId, attempt, () => makeBackup(wordpress, projectId, note, actor))),
    ),
    handleJob(restoreSiteJob, ({ projectId, ...request }, attempt) =>
      alone(projectId, () =>
        reportingFailure(projectId, attempt, () =>
          restoreSite(wordpress, projectId, { ...request, isRetry: attempt > 1 }),
        ),
      ),
    ),
    handleJob(moveSiteJob, ({ projectId }) => alone(projectId, () => moveSite(wordpress, projectId))),
    handleJob(transferSiteJob, ({ projectId, to }) => alone(projectId, () => transferSite(wordpress, projectId, to))),
    handleJob(updateSiteJob, ({ projectId }) => alone(projectId, () => updateSite(wordpress, projectId))),
    handleJob(updateCoreJob, () => updateCore(wordpress)),
    handleJob(backUpSitesJob, async () => {
      for (const { id } of await findUnsaved(wordpress.db, maxBackups))
        await enqueue(wordpress.db, backUpSiteJob, { projectId: id, isNightly: true });
    }),
    handleJob(runCronJob, () => runCron(wordpress)),
    handleJob(sendMailJob, () => sendMail(wordpress, mailer)),
    handleJob(measureSitesJob, () => measureSites(wordpress)),
    ...(kubernetes ? clusterJobHandlers(wordpress, kubernetes, idle) : []),
  ];
}
