import type { z } from "zod";
import { lockUser } from "../../account/queries.ts";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { setProjectStatus } from "../../projects/queries.ts";
import { failTask } from "../../tasks/queries.ts";
import { CoreMissing } from "../core/CoreStore.ts";
import type { provisionWordPressJob } from "../jobs.ts";
import { prepareDatabase } from "../prepareDatabase.ts";
import { findProvisioning, findWordPress, lockProvisioning, saveSite } from "../queries.ts";
import { requestPlan } from "../requestPlan.ts";
import { checkHealth, requestSite } from "../requestSite.ts";
import type { WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";
import { ProvisioningCancelled, recordStage, type Stage } from "./recordStage.ts";

// With the queue's growing delays, five attempts take about a minute and a half.
const maxAttempts = 5;

type Project = NonNullable<Awaited<ReturnType<typeof findProvisioning>>>;
type Order = z.output<typeof provisionWordPressJob.payload>;

/**
 * Installs a paid WordPress. It can be interrupted anywhere and repeated: until the mark of a finished installation
 * exists, each attempt starts by removing what an earlier one left. After the last attempt the customer is told that
 * it failed, everything is removed, and an operator can retry it.
 */
export async function provisionWordPress(wordpress: WordPress, order: Order, attempt: number) {
  const project = await findProvisioning(wordpress.db, order.projectId);
  if (!project) return;
  try {
    await install(wordpress, project, order);
  } catch (error) {
    if (error instanceof ProvisioningCancelled) return removeCancelled(wordpress, project.id);
    if (attempt < maxAttempts) throw error;
    wordpress.log.error({ err: error, project: project.id }, "provisioning WordPress failed after the last attempt");
    await fail(wordpress, project, order.taskId, error);
  }
}

async function install(wordpress: WordPress, project: Project, { taskId, username, lang = project.lang }: Order) {
  const { db, runtime } = wordpress;
  const { cores } = runtime;
  const reach = (stage: Stage) => recordStage(wordpress, project, taskId, stage);
  await reach("initializing_database");
  const installed = await runtime.installedCore(project.id);
  const core = installed ? cores.open(installed) : await cores.current();
  const { id, recipe, name } = project;
  const site = { id, recipe, url: wordpress.urlOf(name), core: core.version, runtime: runtime.name };
  if (!installed) {
    await runtime.createDatabase(site, await prepareDatabase(wordpress, runtime, core, lang));
    await reach("initializing_wordpress");
    await runtime.createFiles(site);
    const versions = { core: core.version, php: runtime.phpVersions[0] ?? null };
    await saveSite(db, { projectId: project.id, username, lang, ...versions, runtime: runtime.name, taskId });
    await reach("installing_wordpress");
    await handOver(wordpress, site, { title: project.name, username, email: project.email });
    await runtime.markInstalled(site);
    // The plan may have changed meanwhile.
    if ((await findWordPress(db, id))?.recipe !== recipe) await requestPlan(db, id);
  }
  await reach("wordpress_ready");
  const health = await checkHealth(wordpress, site);
  if (health.some((status) => status !== 200))
    throw new Error(`new site ${site.id} answered ${health.join(" and ")} at its home and login pages`);
  await reach("done");
}

/** Writes the owner's title, administrator and address into the prepared database. */
async function handOver(wordpress: WordPress, site: Site, owner: { title: string; username: string; email: string }) {
  const server = { NIDO_OWNER: JSON.stringify(owner) };
  const page = await requestSite(wordpress, site, { url: "/", script: { in: "nido", path: "hand-over.php" }, server });
  if (page !== "handed over") throw new Error(`hand-over.php of site ${site.id} printed: ${page.slice(0, 500)}`);
}

/** Removes a site whose project was deleted meanwhile, but not one that another worker has finished. */
async function removeCancelled({ db, runtime }: WordPress, projectId: string) {
  const row = await findWordPress(db, projectId);
  if (row && !row.archivedAt) return;
  await runtime.remove(projectId);
  await runtime.unmarkInstalled(projectId);
}

async function fail({ db, runtime }: WordPress, { id, userId, name }: Project, taskId: string, reason: unknown) {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if (!(await lockProvisioning(tx, id))) return;
    await runtime.remove(id);
    await runtime.unmarkInstalled(id);
    await failTask(tx, taskId, reason instanceof CoreMissing ? "error_wordpress_missing" : "error_wordpress_failed");
    await setProjectStatus(tx, id, "failed");
    await mailCustomer(tx, userId, "siteFailed", { projectId: id, name });
    await record(tx, userId, platform, { kind: "siteFailed", params: { project: name }, projectId: id });
    await announceChange(tx, userId);
  });
}
