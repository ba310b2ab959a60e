// The operator's commands for the WordPress sites of a running product:
//   npm run sites                           lists them
//   npm run sites -- backup NAME            makes a backup now
//   npm run sites -- backups NAME           lists a site's backups
//   npm run sites -- restore NAME [BACKUP]  restores a site, deleted or not, from its latest backup or a named one
//   npm run sites -- restore-all            restores all sites that are not deleted, after the loss of a machine
//   npm run sites -- move NAME --to RUNTIME  moves a site to kubernetes or native; WORDPRESS_RUNTIME must name both
//   npm run sites -- retry NAME             creates a site again if its creation failed
//   npm run sites -- allow-mail NAME        allows a site to send mail again after its mail was suspended
//   npm run sites -- update                 fetches a newer WordPress and updates the sites
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Job } from "../apps/server/src/jobs/defineJob.ts";
import { enqueue, findJob } from "../apps/server/src/jobs/enqueue.ts";
import { Bucket } from "../apps/server/src/platform/Bucket.ts";
import { BackupStore } from "../apps/server/src/wordpress/BackupStore.ts";
import { backUpSiteJob, restoreSiteJob, transferSiteJob, updateCoreJob } from "../apps/server/src/wordpress/jobs.ts";
import { Cluster, loadKubeConfig } from "../apps/server/src/wordpress/kubernetes/Cluster.ts";
import { objectName } from "../apps/server/src/wordpress/kubernetes/siteObjects.ts";
import { retryProvisioning } from "../apps/server/src/wordpress/lifecycle/retryProvisioning.ts";
import { allowMail, findAll } from "../apps/server/src/wordpress/queries.ts";
import { siteFolder } from "../apps/server/src/wordpress/siteFolder.ts";
import type { RuntimeName } from "../apps/server/src/wordpress/WordPressRuntime.ts";
import { config, db, operate } from "./operate.ts";

const store = new BackupStore(config.DATA_DIR, config.S3_URL && new Bucket(config.S3_URL));
const { positionals, values } = parseArgs({ allowPositionals: true, options: { to: { type: "string" } } });
const [verb = "list", name = "", backup] = positionals;

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
  if (verb === "move") return move(site);
  if (verb === "restore") {
    const chosen = backup ?? backups[0];
    if (!chosen) throw new Error(`${name} has no backup.`);
    if (!backups.includes(chosen)) throw new Error(`${name} has no backup ${chosen}.`);
    return runJob(restoreSiteJob, { projectId: site.id, backup: chosen }, `${name} is restored from ${chosen}.`);
  }
  throw new Error(`There is no command ${verb}: the first lines of scripts/sites.ts list them.`);
}

async function move({ id, status, archivedAt }: Awaited<ReturnType<typeof findAll>>[number]): Promise<string> {
  const runtimes = config.WORDPRESS_RUNTIME;
  const target = runtimes.find((runtime) => runtime === values.to);
  if (!target) throw new Error(`Say where to: --to ${runtimes.join(" or --to ")}. WORDPRESS_RUNTIME has no other.`);
  if (archivedAt || !["active", "suspended"].includes(status)) throw new Error(`${name} does not run.`);
  const to: RuntimeName = target === "kubernetes" ? target : "local";
  return runJob(transferSiteJob, { projectId: id, to }, `${name} runs on the ${target} runtime.`);
}

/** Skips sites that still exist: they may have changed since the backup. */
async function restoreAll(): Promise<string> {
  const volumes = config.WORDPRESS_RUNTIME.includes("kubernetes")
    ? await new Cluster(loadKubeConfig(), config.KUBERNETES_NAMESPACE).list("PersistentVolumeClaim")
    : new Set();
  const lines: string[] = [];
  for (const { id, name: site, archivedAt, runtime, stagingOf } of await findAll(db)) {
    const exists =
      runtime === "kubernetes"
        ? volumes.has(objectName(id))
        : existsSync(siteFolder(config.DATA_DIR, id).installedMark);
    // A staging copy is made again by its owner.
    if (archivedAt || exists || stagingOf) continue;
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
  const lines = sites.map(({ name: site, status, archivedAt, runtime, core, diskUsed, email }) =>
    [
      site.padEnd(20),
      (archivedAt ? "deleted" : status).padEnd(12),
      core.padEnd(8),
      ...(config.WORDPRESS_RUNTIME.length > 1 ? [runtime.padEnd(11)] : []),
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
