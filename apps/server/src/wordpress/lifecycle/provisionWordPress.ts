import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Task, taskMessages } from "@nido/contract";
import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Jobs } from "../../jobs/enqueue.ts";
import { measureFolder } from "../../platform/folderSize.ts";
import { failTask, findTask, updateTask } from "../../tasks/queries.ts";
import { CoreMissing } from "../core/CoreStore.ts";
import { findUnmade, findWordPress, holdUnmade, saveSite, setDiskUsed, setStatus } from "../queries.ts";
import { ask, healthOf } from "../requestSite.ts";
import { siteFolder } from "../siteFolder.ts";
import type { WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";
import { prepareDatabase } from "./prepareDatabase.ts";

// With the queue's growing pauses that is about a minute and a half.
const mostAttempts = 5;

const portions: Record<Stage, number> = {
  initializing_database: 0.1,
  initializing_wordpress: 0.25,
  installing_wordpress: 0.4,
  wordpress_ready: 0.9,
  done: 1,
};
type Stage = (typeof taskMessages)[number];

type Unmade = NonNullable<Awaited<ReturnType<typeof findUnmade>>>;
type Wish = Jobs["provisionWordPress"];

/** The project was deleted while its WordPress was being made. */
class Unwanted extends Error {}

/**
 * Makes a paid WordPress. It may be broken off anywhere and is then begun again: until the mark that it is
 * installed is set, everything of it is removed first. After some attempts the customer is told that it failed;
 * what is left is cleaned up, and it can be tried again.
 */
export async function provisionWordPress(wordpress: WordPress, wish: Wish, attempt: number) {
  const project = await findUnmade(wordpress.db, wish.projectId);
  if (!project) return;
  try {
    await make(wordpress, project, wish);
  } catch (error) {
    if (error instanceof Unwanted) return removeUnwanted(wordpress, project.id);
    if (attempt < mostAttempts) throw error;
    wordpress.log.error({ err: error, project: project.id }, "a WordPress could not be made");
    await giveUp(wordpress, project, wish, error);
  }
}

async function make(wordpress: WordPress, project: Unmade, { taskId, username, lang = project.lang }: Wish) {
  const { db, cores, runtime, dataDir } = wordpress;
  const reach = (stage: Stage) => tell(wordpress, project, taskId, stage);
  const { mark } = siteFolder(dataDir, project.id);
  await reach("initializing_database");
  const installed = await readFile(mark, "utf8").catch(() => undefined);
  const core = installed ? cores.open(installed) : await cores.current();
  const site = { id: project.id, recipe: project.recipe, url: wordpress.urlOf(project.name), core: core.version };
  if (!installed) {
    await runtime.createDatabase(site, await prepareDatabase(wordpress, core, lang));
    await reach("initializing_wordpress");
    await runtime.createFiles(site);
    await saveSite(db, { projectId: project.id, username, lang, core: core.version, taskId });
    await reach("installing_wordpress");
    await handOver(wordpress, site, { title: project.name, username, email: project.email });
    await mkdir(dirname(mark), { recursive: true });
    await writeFile(mark, core.version);
  }
  await reach("wordpress_ready");
  const health = await healthOf(wordpress, site);
  if (health.some((status) => status !== 200)) throw new Error(`its pages answered ${health.join(", ")}`);
  await reach("done");
}

async function handOver(wordpress: WordPress, site: Site, owner: { title: string; username: string; email: string }) {
  const server = { NIDO_OWNER: JSON.stringify(owner) };
  const page = await ask(wordpress, site, { url: "/", script: { in: "nido", path: "hand-over.php" }, server });
  if (page !== "handed over") throw new Error(`the installation said: ${page.slice(0, 500)}`);
}

/** Writes down how far it is, in the same moment in which the last stage makes the site the customer's. */
async function tell({ db, dataDir }: WordPress, { id, userId }: Unmade, taskId: string, stage: Stage) {
  const used = await measureFolder(siteFolder(dataDir, id).root);
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if (!(await holdUnmade(tx, id))) throw new Unwanted();
    const told = (await findTask(tx, taskId))?.progress ?? [];
    const reached = taskMessages.indexOf(stage) + 1;
    // Begun again, it is not less far for whoever watches.
    const progress = taskMessages
      .slice(0, Math.max(reached, told.length))
      .map((message) => ({ message, progress: portions[message] }));
    const task: Task = { state: stage === "done" ? "completed" : "running", progress };
    await updateTask(tx, taskId, task);
    if (stage === "done") {
      await setStatus(tx, id, "active");
      await setDiskUsed(tx, id, used);
    }
    await announceChange(tx, userId);
  });
}

/** Only what is gone for its customer too: somebody else may have finished it meanwhile. */
async function removeUnwanted({ db, dataDir, runtime }: WordPress, projectId: string) {
  const row = await findWordPress(db, projectId);
  if (row && !row.archivedAt) return;
  await runtime.remove(projectId);
  await rm(siteFolder(dataDir, projectId).mark, { force: true });
}

async function giveUp({ db, dataDir, runtime }: WordPress, { id, userId }: Unmade, { taskId }: Wish, reason: unknown) {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if (!(await holdUnmade(tx, id))) return;
    await runtime.remove(id);
    await rm(siteFolder(dataDir, id).mark, { force: true });
    await failTask(tx, taskId, reason instanceof CoreMissing ? "error_wordpress_missing" : "error_wordpress_failed");
    await setStatus(tx, id, "failed");
    await announceChange(tx, userId);
  });
}
