import { languages, restoreParts } from "@nido/contract";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { projects } from "../db/schema.ts";
import { defineJob } from "../jobs/defineJob.ts";
import { runtimeNames } from "./WordPressRuntime.ts";

/** How often something is tried that somebody waits for. */
export const ownersAttempts = 3;

const aProject = z.object({ projectId: z.string() });
const everySite = z.object({});

/** The share of each customer in a pool: one job at a time, whatever the number of their sites. */
const oneOfCustomer =
  (pool: "sites" | "upkeep" | "backups") =>
  ({ projectId }: { projectId: string }) =>
    sql`(select ${`${pool}:`} || user_id from ${projects} where id = ${projectId}::uuid)`;
const siteJob = { pool: "sites", queue: oneOfCustomer("sites") } as const;
const backupJob = { pool: "backups", queue: oneOfCustomer("backups") } as const;
const upkeepJob = { pool: "upkeep", queue: oneOfCustomer("upkeep") } as const;

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
  ...siteJob,
});

/** Takes down the WordPress of an archived project and keeps a last backup as its archive. */
export const archiveSiteJob = defineJob({ name: "archiveSite", payload: aProject, key: "projectId", ...siteJob });

/** Restores the WordPress of a deleted project that its customer took back. */
export const unarchiveSiteJob = defineJob({ name: "unarchiveSite", payload: aProject, key: "projectId", ...siteJob });

export const backUpSiteJob = defineJob({
  name: "backUpSite",
  payload: aProject.extend({
    /** It is planned again while it runs, and must not be repeated. */
    isNightly: z.boolean().optional(),
  }),
  key: "projectId",
  ...upkeepJob,
});

/** Makes a backup that the owner of a site asked for. */
export const makeBackupJob = defineJob({
  name: "makeBackup",
  payload: aProject.extend({
    /** of the work */
    id: z.string(),
    note: z.string(),
    /** what waits for it */
    before: z.enum(["command", "admin"]).optional(),
    actor: z.object({
      kind: z.enum(["session", "token", "operator", "platform"]),
      name: z.string(),
      place: z.string(),
    }),
  }),
  key: "projectId",
  attempts: ownersAttempts,
  ...backupJob,
});

/** Enqueues backups of the sites that were in use. */
export const backUpSitesJob = defineJob({
  name: "backUpSites",
  payload: everySite,
  pool: "upkeep",
  cron: { schedule: "*/5 1-5 * * *", attempts: 3 },
});

/** Puts a site back to a backup. Few attempts: a restore must not happen long after an operator asked for it. */
export const restoreSiteJob = defineJob({
  name: "restoreSite",
  payload: aProject.extend({ backup: z.string() }),
  key: "projectId",
  attempts: 3,
  ...siteJob,
});

/** The same for the site's owner, who may restore a part of it. */
export const restoreOwnSiteJob = defineJob({
  name: "restoreOwnSite",
  payload: aProject.extend({
    /** of the work */
    id: z.string(),
    /** undefined: the staging copy */
    backup: z.string().optional(),
    core: z.string().optional(),
    parts: z.enum(restoreParts),
    /** of the staging copy's database, only these */
    tables: z.array(z.string()).optional(),
  }),
  key: "projectId",
  attempts: ownersAttempts,
  ...backupJob,
});

/** Looks through the archive of another WordPress that an owner has sent. */
export const inspectMoveInJob = defineJob({
  name: "inspectMoveIn",
  payload: aProject.extend({
    /** of the upload */
    id: z.string(),
  }),
  key: "projectId",
  attempts: ownersAttempts,
  ...backupJob,
});

/** A copy may take hours, and goes on where it was interrupted. */
export const fetchAttempts = 10;

/** Copies another WordPress from its address. */
export const fetchMoveInJob = defineJob({
  name: "fetchMoveIn",
  payload: aProject.extend({
    /** of the upload */
    id: z.string(),
  }),
  key: "projectId",
  attempts: fetchAttempts,
  priority: 1,
  ...backupJob,
});

/** Removes archives that were sent days ago, and those of deleted projects. */
export const removeUploadsJob = defineJob({
  name: "removeUploads",
  payload: everySite,
  pool: "upkeep",
  cron: { schedule: "27 * * * *", attempts: 3 },
});

/** Makes the staging copy of a site from such an archive. */
export const moveInJob = defineJob({
  name: "moveIn",
  payload: aProject.extend({
    /** of the work */
    id: z.string(),
  }),
  key: "projectId",
  attempts: ownersAttempts,
  ...backupJob,
});

/** Makes the staging copy of a site, or replaces it with a new one. */
export const copyToStagingJob = defineJob({
  name: "copyToStaging",
  payload: aProject.extend({
    /** of the work */
    id: z.string(),
    /** of which parts are taken; the others are those of the site */
    backup: z.string().optional(),
    parts: z.enum(restoreParts).optional(),
  }),
  key: "projectId",
  attempts: ownersAttempts,
  ...backupJob,
});

/** Updates WordPress, plugins and themes of a site, and undoes that if its pages break. */
export const updateOwnSiteJob = defineJob({
  name: "updateOwnSite",
  payload: aProject.extend({
    /** of the work */
    id: z.string(),
    core: z.string().optional(),
    php: z.string().optional(),
    plugins: z.array(z.string()),
    themes: z.array(z.string()),
  }),
  key: "projectId",
  attempts: ownersAttempts,
  ...backupJob,
});

/** The same without its owner: to a new WordPress, or what is automatic of plugins and themes. */
export const updateByItselfJob = defineJob({
  name: "updateByItself",
  payload: aProject.extend({ core: z.string().optional() }),
  key: "projectId",
  attempts: ownersAttempts,
  ...upkeepJob,
});

/** Rewrites a site's content to its current address. */
export const moveSiteJob = defineJob({
  name: "moveSite",
  payload: aProject,
  key: "projectId",
  ...backupJob,
});

/** Moves a site to another runtime. */
export const transferSiteJob = defineJob({
  name: "transferSite",
  payload: aProject.extend({ to: z.enum(runtimeNames) }),
  key: "projectId",
  attempts: 3,
  ...siteJob,
});

/** Gives a site on Kubernetes the memory and the disk of its plan. The other runtimes do so when its PHP next starts. */
export const applyPlanJob = defineJob({
  name: "applyPlan",
  payload: aProject,
  key: "projectId",
  ...siteJob,
});

/** Fetches a newer WordPress and enqueues the update of every site. */
export const updateCoreJob = defineJob({
  name: "updateCore",
  payload: everySite,
  pool: "upkeep",
  attempts: 3,
  cron: { schedule: "42 2 * * *", attempts: 3 },
});

/** Updates one site to the current WordPress, or leaves it as it was. */
export const updateSiteJob = defineJob({
  name: "updateSite",
  payload: aProject,
  key: "projectId",
  ...upkeepJob,
  attempts: 3,
});

/** Runs WP-Cron on the sites that have a scheduled event due. */
export const runCronJob = defineJob({
  name: "runCron",
  payload: everySite,
  pool: "schedule",
  queue: "cron",
  cron: { schedule: "* * * * *", attempts: 1 },
});

/** Hands the mail that waits in sites' outboxes to the SMTP server. */
export const sendMailJob = defineJob({
  name: "sendMail",
  payload: everySite,
  pool: "schedule",
  queue: "mail",
  cron: { schedule: "* * * * *", attempts: 1 },
});

/** Removes WebP and AVIF forms of images that are old or too many. */
export const removeOldFormsJob = defineJob({
  name: "removeOldForms",
  payload: everySite,
  pool: "upkeep",
  cron: { schedule: "37 * * * *", attempts: 3 },
});

export const measureSitesJob = defineJob({
  name: "measureSites",
  payload: everySite,
  pool: "upkeep",
  cron: { schedule: "7 * * * *", attempts: 3 },
});
