import type { Config } from "../config.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Performers } from "../jobs/startJobs.ts";
import { InTurn } from "../platform/KeyedMutex.ts";
import { archiveSite, removeArchives } from "./lifecycle/archiveSite.ts";
import { moveSite } from "./lifecycle/moveSite.ts";
import { provisionWordPress } from "./lifecycle/provisionWordPress.ts";
import { restoreSite } from "./lifecycle/restoreSite.ts";
import { findRunning, findWordPress } from "./queries.ts";
import { backUp } from "./upkeep/backups.ts";
import { measureSites } from "./upkeep/measureSites.ts";
import { runTimetables } from "./upkeep/runCron.ts";
import { sendMail } from "./upkeep/sendMail.ts";
import { updateCore, updateSite } from "./upkeep/updateCore.ts";
import { siteOf, type WordPress } from "./WordPress.ts";

/** What WordPress sites need in the background. */
export function wordpressJobs(wordpress: WordPress, config: Config): Performers {
  const sites = new InTurn();
  const alone = (projectId: string, work: () => Promise<void>) => sites.run(projectId, work);
  const post = { url: config.SMTP_URL, from: config.MAIL_FROM ?? config.SUPPORT_EMAIL };
  return {
    provisionWordPress: (wish, attempt) => alone(wish.projectId, () => provisionWordPress(wordpress, wish, attempt)),
    archiveSite: ({ projectId }) => alone(projectId, () => archiveSite(wordpress, projectId)),
    removeArchives: () => removeArchives(wordpress),
    backUpSite: ({ projectId }) =>
      alone(projectId, async () => {
        const row = await findWordPress(wordpress.db, projectId);
        if (row && !row.archivedAt) await backUp(wordpress, siteOf(wordpress, row));
      }),
    backUpSites: async () => {
      for (const { id } of await findRunning(wordpress.db))
        await enqueue(wordpress.db, "backUpSite", { projectId: id });
    },
    restoreSite: ({ projectId, backup }) => alone(projectId, () => restoreSite(wordpress, projectId, backup)),
    moveSite: ({ projectId }) => alone(projectId, () => moveSite(wordpress, projectId)),
    updateCore: () => updateCore(wordpress),
    updateSite: ({ projectId }) => alone(projectId, () => updateSite(wordpress, projectId)),
    runTimetables: () => runTimetables(wordpress),
    sendMail: () => sendMail(wordpress, post),
    measureSites: () => measureSites(wordpress),
  };
}

export const wordpressSchedule = `
* * * * * runTimetables ?jobKey=runTimetables&queue=timetables&max=1
* * * * * sendMail ?jobKey=sendMail&queue=mail&max=1
7 * * * * measureSites ?jobKey=measureSites&max=3
12 1 * * * backUpSites ?jobKey=backUpSites&max=3
42 2 * * * updateCore ?jobKey=updateCore&max=3
22 4 * * * removeArchives ?jobKey=removeArchives&max=3
`;
