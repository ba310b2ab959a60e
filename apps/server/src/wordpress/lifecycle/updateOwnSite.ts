import type { UpdateRequest } from "@nido/contract";
import { platform, record } from "../../activity/record.ts";
import type { PageView, StoredWork } from "../../db/schema.ts";
import { askUpdates, isChosen, namesOf } from "../askUpdates.ts";
import { findWordPress, updateWordPress } from "../queries.ts";
import { checkHealth, inspectPages, requestSite } from "../requestSite.ts";
import { backUp, restoreBackup } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";
import { findWork, progressOf, setWork } from "../work.ts";
import type { RestoreUndo } from "./restoreOwnSite.ts";

interface Request extends UpdateRequest {
  projectId: string;
  /** of the work */
  id: string;
}

/** Below this share of its text, a page counts as broken. */
const minShare = 0.5;

/** Updates what the owner of a site chose, after a backup. If the site's pages break, the backup is restored. */
export async function updateOwnSite(wordpress: WordPress, request: Request, isLastAttempt: boolean) {
  const { db, runtimeOf, log } = wordpress;
  const { projectId, id, core } = request;
  const row = await findWordPress(db, projectId);
  const work = await findWork(db, projectId);
  // Otherwise it was done before, or replaced by another request.
  if (!row || work?.id !== id) return;
  // It was deleted since.
  if (row.archivedAt) return setWork(db, row, null);
  const before = siteOf(wordpress, row);
  const after = core && runtimeOf(row).cores.has(core) ? { ...before, core } : before;
  const plan = work.update ?? (await planUpdate(wordpress, before, request));
  const onProgress = (part: number) => progressOf(db, row, work)(part / 2);
  const snapshot = work.snapshot ?? (await backUp(wordpress, before, { reason: "update", onProgress }));
  // A repeated attempt compares with what was before the first.
  await setWork(db, row, { ...work, snapshot, update: plan, progress: 0.5 });
  const params = { project: row.name, items: plan.items };
  try {
    await update(wordpress, after, request);
    const paths = plan.pages.map(({ path }) => path);
    requireSimilar(plan.pages, await inspectPages(wordpress, after, paths));
  } catch (error) {
    if (!(error instanceof PagesBroken || isLastAttempt)) throw error;
    log.warn({ err: error, project: projectId }, "an update of a site failed, and is undone");
    await putBack(wordpress, before, snapshot);
    const { id: _, kind, progress } = work;
    return setWork(db, row, { id, kind, progress, has_failed: true }, async (tx) => {
      if (after.core !== before.core) await updateWordPress(tx, projectId, { refusedCore: after.core });
      await record(tx, row.userId, platform, { kind: "itemsUndone", params, projectId });
    });
  }
  const undo: RestoreUndo = { backup: snapshot, core: before.core };
  await setWork(db, row, null, async (tx) => {
    await updateWordPress(tx, projectId, { core: after.core });
    await record(tx, row.userId, platform, { kind: "itemsUpdated", params, projectId, undo });
  });
}

async function planUpdate(wordpress: WordPress, site: Site, request: Request): Promise<StoredWork["update"] & object> {
  const { items, pages } = await askUpdates(wordpress, site, { isOwn: true });
  return { pages: await inspectPages(wordpress, site, ["/", ...pages]), items: namesOf(request, items) };
}

async function update(wordpress: WordPress, site: Site, { core, plugins, themes }: UpdateRequest) {
  if (core) {
    await wordpress.runtimeOf(site).update?.(site);
    await requestSite(wordpress, site, { url: "/", script: { in: "nido", path: "upgrade.php" } });
  }
  if (plugins.length + themes.length === 0) return;
  const { items } = await askUpdates(wordpress, site, { wanted: { plugins, themes }, isOwn: true });
  const left = items.filter((item) => isChosen({ plugins, themes }, item));
  if (left.length > 0) throw new Error(`not updated: ${left.map(({ id }) => id).join(", ")}`);
}

class PagesBroken extends Error {
  override name = "PagesBroken";
}

function requireSimilar(before: PageView[], after: PageView[]) {
  for (const [index, old] of before.entries()) {
    const now = after[index];
    const isWhole = now && now.length >= minShare * old.length && (now.title !== "" || old.title === "");
    if (!isWhole || now.status !== old.status)
      throw new PagesBroken(`${old.path} was ${describe(old)} before the update, and ${describe(now)} after it`);
  }
}

function describe(view?: PageView): string {
  return view ? `${view.status} "${view.title}" with ${view.length} characters` : "nothing";
}

async function putBack(wordpress: WordPress, site: Site, snapshot: string) {
  await restoreBackup(wordpress, site, snapshot);
  await wordpress.runtimeOf(site).markInstalled(site);
  await wordpress.runtimeOf(site).update?.(site);
  await checkHealth(wordpress, site); // starts PHP with the old version again
}
