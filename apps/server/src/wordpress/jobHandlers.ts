import type { Config } from "../config/parseConfig.ts";
import type { SessionLocks } from "../db/SessionLocks.ts";
import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { findUnsaved } from "./dueSites.ts";
import {
  archiveSiteJob,
  backUpSiteJob,
  backUpSitesJob,
  copyToStagingJob,
  fetchAttempts,
  fetchMoveInJob,
  inspectMoveInJob,
  makeBackupJob,
  measureSitesJob,
  moveInJob,
  moveSiteJob,
  ownersAttempts,
  provisionWordPressJob,
  removeOldFormsJob,
  removeUploadsJob,
  restoreOwnSiteJob,
  restoreSiteJob,
  runCronJob,
  sendMailJob,
  transferSiteJob,
  unarchiveSiteJob,
  updateByItselfJob,
  updateCoreJob,
  updateOwnSiteJob,
  updateSiteJob,
} from "./jobs.ts";
import { clusterJobHandlers } from "./kubernetes/jobHandlers.ts";
import { KubernetesRuntime } from "./kubernetes/KubernetesRuntime.ts";
import { archiveSite } from "./lifecycle/archiveSite.ts";
import { copyToStaging } from "./lifecycle/copyToStaging.ts";
import { moveSite } from "./lifecycle/moveSite.ts";
import { provisionWordPress } from "./lifecycle/provisionWordPress.ts";
import { restoreOwnSite } from "./lifecycle/restoreOwnSite.ts";
import { restoreSite } from "./lifecycle/restoreSite.ts";
import { transferSite } from "./lifecycle/transferSite.ts";
import { unarchiveSite } from "./lifecycle/unarchiveSite.ts";
import { ownRequest, updateByItself } from "./lifecycle/updateByItself.ts";
import { updateOwnSite } from "./lifecycle/updateOwnSite.ts";
import { fetchMoveIn } from "./moveIn/fetchMoveIn.ts";
import { inspectMoveIn } from "./moveIn/inspectMoveIn.ts";
import { moveIn } from "./moveIn/moveIn.ts";
import { removeOldMoveIns } from "./moveIn/moveInRows.ts";
import { findStaging, findWordPress } from "./queries.ts";
import { siteLock } from "./siteLock.ts";
import { backUpSite, makeBackup, reportFailedBackup } from "./upkeep/backups.ts";
import { measureSites } from "./upkeep/measureSites.ts";
import { removeOldForms } from "./upkeep/removeOldForms.ts";
import { runCron } from "./upkeep/runCron.ts";
import { sendMail } from "./upkeep/sendMail.ts";
import { updateCore, updateSite } from "./upkeep/updateCore.ts";
import type { WordPress } from "./WordPress.ts";
import { failWork } from "./work.ts";

/** How many backups are enqueued at a time. The job runs every five minutes at night. */
const maxBackups = 2500;

export function wordpressJobHandlers(
  wordpress: WordPress,
  config: Config,
  smtpUrl: string | undefined,
  locks: SessionLocks,
): JobHandler[] {
  const isFree = (id: string) => locks.isFree(siteLock(id));
  const mailer = { isFree, smtpUrl, from: config.MAIL_FROM ?? config.SUPPORT_EMAIL };
  // Two jobs never work on one site at the same time, whichever workers run them.
  const alone = (projectId: string, work: () => Promise<void>) => locks.run(siteLock(projectId), work);
  const idle = { idleMinutes: config.KUBERNETES_IDLE_MINUTES, isFree };
  const kubernetes = wordpress.runtimes.find((runtime) => runtime instanceof KubernetesRuntime);

  const withCopy = async (projectId: string, work: () => Promise<void>) => {
    const staging = await findStaging(wordpress.db, projectId);
    await (staging ? alone(staging.id, work) : work());
  };

  const forOwner = async (request: { projectId: string; id: string }, attempt: number, work: () => Promise<void>) => {
    const { projectId } = request;
    await alone(projectId, () => withCopy(projectId, work)).catch(async (error) => {
      const site = attempt >= ownersAttempts && (await findWordPress(wordpress.db, projectId));
      if (site) await failWork(wordpress.db, site, request);
      throw error;
    });
  };

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
    handleJob(makeBackupJob, (request, attempt) => forOwner(request, attempt, () => makeBackup(wordpress, request))),
    handleJob(restoreSiteJob, ({ projectId, backup }, attempt) =>
      alone(projectId, () => restoreSite(wordpress, projectId, { backup, isRetry: attempt > 1 })),
    ),
    handleJob(restoreOwnSiteJob, (request, attempt) =>
      forOwner(request, attempt, () => restoreOwnSite(wordpress, request, attempt >= ownersAttempts)),
    ),
    handleJob(copyToStagingJob, (request, attempt) =>
      forOwner(request, attempt, () => copyToStaging(wordpress, request)),
    ),
    handleJob(fetchMoveInJob, (request, attempt) => fetchMoveIn(wordpress, request, attempt >= fetchAttempts)),
    handleJob(inspectMoveInJob, (request, attempt) => inspectMoveIn(wordpress, request, attempt >= ownersAttempts)),
    handleJob(removeUploadsJob, async () => wordpress.uploads.keepOnly(await removeOldMoveIns(wordpress.db))),
    handleJob(moveInJob, (request, attempt) => forOwner(request, attempt, () => moveIn(wordpress, request))),
    handleJob(updateOwnSiteJob, (request, attempt) =>
      forOwner(request, attempt, () => updateOwnSite(wordpress, request, attempt >= ownersAttempts)),
    ),
    handleJob(updateByItselfJob, (request, attempt) =>
      forOwner({ projectId: request.projectId, id: ownRequest }, attempt, () =>
        updateByItself(wordpress, request, attempt >= ownersAttempts),
      ),
    ),
    handleJob(moveSiteJob, ({ projectId }, attempt) =>
      alone(projectId, () => moveSite(wordpress, projectId, attempt === 1)),
    ),
    handleJob(transferSiteJob, ({ projectId, to }) =>
      transferSite(wordpress, projectId, to, (work) => alone(projectId, work)),
    ),
    handleJob(updateSiteJob, ({ projectId }) => alone(projectId, () => updateSite(wordpress, projectId))),
    handleJob(updateCoreJob, () => updateCore(wordpress)),
    handleJob(backUpSitesJob, async () => {
      for (const { id } of await findUnsaved(wordpress.db, maxBackups))
        await enqueue(wordpress.db, backUpSiteJob, { projectId: id, isNightly: true });
    }),
    handleJob(runCronJob, () => runCron(wordpress)),
    handleJob(sendMailJob, () => sendMail(wordpress, mailer)),
    handleJob(measureSitesJob, () => measureSites(wordpress)),
    handleJob(removeOldFormsJob, () => removeOldForms(wordpress)),
    ...(kubernetes ? clusterJobHandlers(wordpress, kubernetes, { idle, alone }) : []),
  ];
}
