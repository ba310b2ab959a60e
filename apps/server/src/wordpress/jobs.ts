import { languages } from "@nido/contract";
import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

const aProject = z.object({ projectId: z.string() });
const everySite = z.object({});

/** Nightly work on sites runs one job at a time, so that workers stay free for what a customer waits for. */
const upkeepQueue = "upkeep";

/** Installs a paid WordPress and records its progress in the task. */
export const provisionWordPressJob = defineJob({
  name: "provisionWordPress",
  payload: aProject.extend({
    taskId: z.string(),
    username: z.string(),
    /** default: the customer's */
    lang: z.enum(languages).optional(),
  }),
  key: "projectId",
});

/** Takes down the WordPress of an archived project and keeps a last backup as its archive. */
export const archiveSiteJob = defineJob({ name: "archiveSite", payload: aProject, key: "projectId" });

export const backUpSiteJob = defineJob({
  name: "backUpSite",
  payload: aProject,
  key: "projectId",
  queue: upkeepQueue,
});

/** Enqueues a backup of every site. */
export const backUpSitesJob = defineJob({
  name: "backUpSites",
  payload: everySite,
  cron: { schedule: "12 1 * * *", attempts: 3 },
});

/** Puts a site back to a backup. Few attempts: a restore must not happen long after an operator asked for it. */
export const restoreSiteJob = defineJob({
  name: "restoreSite",
  payload: aProject.extend({ backup: z.string() }),
  key: "projectId",
  attempts: 3,
});

/** Rewrites a site's content to its current address. One at a time for each site, in the order they were asked for. */
export const moveSiteJob = defineJob({
  name: "moveSite",
  payload: aProject,
  key: "projectId",
  queue: ({ projectId }) => `moveSite:${projectId}`,
});

/** Fetches a newer WordPress and enqueues the update of every site. */
export const updateCoreJob = defineJob({
  name: "updateCore",
  payload: everySite,
  attempts: 3,
  cron: { schedule: "42 2 * * *", attempts: 3 },
});

/** Updates one site to the current WordPress, or leaves it as it was. */
export const updateSiteJob = defineJob({
  name: "updateSite",
  payload: aProject,
  key: "projectId",
  queue: upkeepQueue,
  attempts: 3,
});

/** Runs WP-Cron on the sites that have a scheduled event due. */
export const runCronJob = defineJob({
  name: "runCron",
  payload: everySite,
  queue: "cron",
  cron: { schedule: "* * * * *", attempts: 1 },
});

/** Hands the mail that sites left in their outbox folders to the SMTP server. */
export const sendMailJob = defineJob({
  name: "sendMail",
  payload: everySite,
  queue: "mail",
  cron: { schedule: "* * * * *", attempts: 1 },
});

export const measureSitesJob = defineJob({
  name: "measureSites",
  payload: everySite,
  cron: { schedule: "7 * * * *", attempts: 3 },
});
