// The operator's commands for the WordPress sites of a running product:
//   npm run sites                           lists them
//   npm run sites -- backup NAME            makes a backup now
//   npm run sites -- backups NAME           lists a site's backups
//   npm run sites -- restore NAME [BACKUP]  restores a site, deleted or not, from its latest backup or a named one
//   npm run sites -- restore-all            restores all sites that are not deleted, after the loss of a machine
//   npm run sites -- retry NAME             creates a site again if its creation failed
//   npm run sites -- allow-mail NAME        allows a site to send mail again after its mail was suspended
//   npm run sites -- update                 fetches a newer WordPress and updates the sites
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Job } from "../apps/server/src/jobs/defineJob.ts";
import { enqueue, findJob } from "../apps/server/src/jobs/enqueue.ts";
import { Bucket } from "../apps/server/src/platform/Bucket.ts";
import { BackupStore } from "../apps/server/src/wordpress/BackupStore.ts";
import { backUpSiteJob, restoreSiteJob, updateCoreJob } from "../apps/server/src/wordpress/jobs.ts";
import { retryProvisioning } from "../apps/server/src/wordpress/lifecycle/retryProvisioning.ts";
import { allowMail, findAll } from "../apps/server/src/wordpress/queries.ts";
import { siteFolder } from "../apps/server/src/wordpress/siteFolder.ts";
import { config, db, operate } from "./operate.ts";

const store = new BackupStore(config.DATA_DIR, config.S3_URL && new Bucket(config.S3_URL));
const [verb = "list", name = "", backup] = process.argv.slice(2);

await operate(act);

async function act(): Promise<string> {
  if (verb === "list") return list();
  if (verb === "update")
    return runJob(updateCoreJob, {}, "The newest WordPress is fetched. Sites are updated one by one.");
  if (verb === "restore-all") return restoreAll();
  if (verb === "retry") {
    if (await db.transaction((tx) => retryProvisioning(tx, name))) return `${name} is being created.`;
    throw new Error(`There is no WordPress site ${name} whose creation failed.`);
  }
  const site = (await findAll(db)).find((known) => known.name === name);
  if (!site) throw new Error(`There is no WordPress site ${name}.`);
  const backups = await store.list(site.id);
  if (verb === "allow-mail") {
    await allowMail(db, site.id);
    return `${name} can send mail again.`;
  }
  if (verb === "backups") return backups.join("\n") || `${name} has no backup.`;
  if (verb === "backup") return runJob(backUpSiteJob, { projectId: site.id }, `${name} is backed up.`);
  if (verb === "restore") {
    const chosen = backup ?? backups[0];
    if (!chosen) throw new Error(`${name} has no backup.`);
    if (!backups.includes(chosen)) throw new Error(`${name} has no backup ${chosen}.`);
    return runJob(restoreSiteJob, { projectId: site.id, backup: chosen }, `${name} is restored from ${chosen}.`);
  }
  throw new Error(`There is no command ${verb}: the first lines of scripts/sites.ts list them.`);
}

/** Skips sites that exist on this machine: they may have changed since the backup. */
async function restoreAll(): Promise<string> {
  if (config.WORDPRESS_RUNTIME === "kubernetes")
    throw new Error("restore-all is for a lost machine. On Kubernetes, restore the sites that the worker reports.");
  const lines: string[] = [];
  for (const { id, name: site, archivedAt } of await findAll(db)) {
    if (archivedAt || existsSync(siteFolder(config.DATA_DIR, id).installedMark)) continue;
    const [latest] = await store.list(id);
    const restoring = latest
      ? runJob(restoreSiteJob, { projectId: id, backup: latest }, `${site} is restored from ${latest}.`)
      : Promise.reject(new Error("it has no backup."));
    lines.push(
      await restoring.catch((error) => {
        process.exitCode = 1;
        return `${site} is not restored: ${error.message}`;
      }),
    );
  }
  return lines.join("\n") || "No WordPress site is missing.";
}

async function list(): Promise<string> {
  const sites = await findAll(db);
  const lines = sites.map(({ name: site, status, archivedAt, core, diskUsed, email }) =>
    [
      site.padEnd(20),
      (archivedAt ? "deleted" : status).padEnd(12),
      core.padEnd(8),
      `${Math.ceil(diskUsed / 1e6)} MB`.padStart(9),
      ` ${email}`,
    ].join(" "),
  );
  return lines.join("\n") || "There is no WordPress site yet.";
}

/** Enqueues a job for the running product and waits until it is done. */
async function runJob<Payload>(job: Job<Payload>, payload: Payload, success: string): Promise<string> {
  await enqueue(db, job, payload);
  const id = job.key && String(payload[job.key]);
  for (;;) {
    const state = await findJob(db, job, id);
    if (!state) return success;
    if (state.is_over) throw new Error(`${job.name} failed: ${state.error ?? "no attempt finished"}`);
    if (state.error) throw new Error(`${job.name} failed and will be retried: ${state.error}`);
    await pause(200);
  }
}
