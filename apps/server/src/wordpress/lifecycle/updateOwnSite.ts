import type { UpdateRequest } from "@nido/contract";
import { platform, record } from "../../activity/record.ts";
import type { PageView, StoredWork } from "../../db/schema.ts";
import { askUpdates, isChosen, namesOf } from "../askUpdates.ts";
import { findWordPress, refuseUpdates, updateWordPress } from "../queries.ts";
import { checkHealth, inspectPages, requestSite } from "../requestSite.ts";
import { backUp, restoreBackup } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";
import { findWork, progressOf, setWork } from "../work.ts";
import { holdVisitors } from "./holdVisitors.ts";
import type { RestoreUndo } from "./restoreOwnSite.ts";

interface Request extends UpdateRequest {
  projectId: string;
  /** of the work */
  id: string;
}

/** Below this share of its text, a page counts as broken. */
const minShare = 0.5;

/**
 * Updates what the owner of a site chose, after a backup. If the site's pages break, the backup is restored, or the old
 * PHP runs again.
 */
export async function updateOwnSite(wordpress: WordPress, request: Request, isLastAttempt: boolean) {
  const { db, log } = wordpress;
  const { projectId, id, core, php } = request;
  const row = await findWordPress(db, projectId);
  let work = await findWork(db, projectId);
  // Otherwise it was done before, or replaced by another request.
  if (!row || work?.id !== id) return;
  // It was deleted since.
  if (row.archivedAt) return setWork(db, row, null);
  const before = siteOf(wordpress, row);
  const after = { ...before, ...(core && { core }), ...(php && { php }) };
  const { kind, progress } = work;
  const show = progressOf(db, row, work);
  const plan = work.update ?? (await planUpdate(wordpress, before, request, row.checkedPages));
  const onProgress = (part: number) => show(part / 2);
  const snapshot = work.snapshot ?? (await backUp(wordpress, before, { reason: "update", onProgress }));
  // A repeated attempt compares with what was before the first.
  work = { ...work, snapshot, update: plan, progress: 0.5 };
  await setWork(db, row, work);
  if (after.core !== before.core || after.php !== before.php) work = await holdVisitors(wordpress, row, work);
  const params = { project: row.name, items: plan.items };
  try {
    await update(wordpress, after, request, plan.targets);
    const paths = plan.pages.map(({ path }) => path);
    requireSimilar(plan.pages, await inspectPages(wordpress, after, paths));
  } catch (error) {
    if (!(error instanceof PagesBroken || isLastAttempt)) throw error;
    log.warn({ err: error, project: projectId }, "an update of a site failed, and is undone");
    // Another PHP has changed nothing: a backup would take back what was written since.
    await (php ? restart(wordpress, before) : putBack(wordpress, before, snapshot));
    return setWork(db, row, { id, kind, progress, has_failed: true }, async (tx) => {
      await updateWordPress(tx, projectId, { isMoving: false, ...(core && { refusedCore: core }) });
      await refuseUpdates(tx, projectId, plan.targets);
      await record(tx, row.userId, platform, { kind: "itemsUndone", params, projectId });
    });
  }
  // Another PHP is taken back by choosing the old one again, which loses nothing that was written since.
  const undo: RestoreUndo | undefined = php
    ? undefined
    : { backup: snapshot, core: before.core, targets: plan.targets };
  await setWork(db, row, null, async (tx) => {
    await updateWordPress(tx, projectId, { core: after.core, ...(php && { php }), isMoving: false });
    await record(tx, row.userId, platform, { kind: "itemsUpdated", params, projectId, ...(undo && { undo }) });
  });
}

async function planUpdate(
  wordpress: WordPress,
  site: Site,
  request: Request,
  checked: string[],
): Promise<StoredWork["update"] & object> {
  const { items, pages } = await askUpdates(wordpress, site, { isOwn: true });
  const chosen = items.filter((item) => isChosen(request, item));
  return {
    pages: await inspectPages(wordpress, site, ["/", ...(checked.length > 0 ? checked : pages)]),
    items: namesOf(request, items),
    targets: Object.fromEntries(chosen.map((item) => [item.id, item.new_version])),
  };
}

async function update(
  wordpress: WordPress,
  site: Site,
  { core, plugins, themes }: UpdateRequest,
  targets: Record<string, string>,
) {
  const { cores, update: restart } = wordpress.runtimeOf(site);
  if (core) {
    if (!cores.has(core)) throw new Error(`WordPress ${core} is not installed`);
    await restart?.call(wordpress.runtimeOf(site), site);
    await requestSite(wordpress, site, { url: "/", script: { in: "nido", path: "upgrade.php" } });
  }
  // One after the other: a request has a time limit.
  const single = [
    ...plugins.map((id) => ({ plugins: [id], themes: [] })),
    ...themes.map((id) => ({ plugins: [], themes: [id] })),
  ];
  for (const wanted of single) {
    const { versions } = await askUpdates(wordpress, site, { wanted, isOwn: true });
    for (const [id, version] of Object.entries(versions))
      if (version !== targets[id]) throw new Error(`${id} has version ${version}, and not ${targets[id]}`);
  }
}

class PagesBroken extends Error {
  override name = "PagesBroken";
}

function requireSimilar(before: PageView[], after: PageView[]) {
  for (const [index, old] of before.entries()) {
    const now = after[index];
    // What was broken before cannot be broken by the update.
    if (old.status >= 500) continue;
    const isWhole =
      now &&
      now.length >= minShare * old.length &&
      (now.title !== "" || old.title === "") &&
      (now.hasEnd || !old.hasEnd);
    if (!isWhole || now.status !== old.status)
      throw new PagesBroken(`${old.path} was ${describe(old)} before the update, and ${describe(now)} after it`);
  }
}

function describe(view?: PageView): string {
  return view
    ? `${view.status} "${view.title}" with ${view.length} characters${view.hasEnd ? "" : " and no end"}`
    : "nothing";
}

async function putBack(wordpress: WordPress, site: Site, snapshot: string) {
  await restoreBackup(wordpress, site, snapshot);
  await wordpress.runtimeOf(site).markInstalled(site);
  await restart(wordpress, site);
}

/** With the versions of before. */
async function restart(wordpress: WordPress, site: Site) {
  await wordpress.runtimeOf(site).update?.(site);
  await checkHealth(wordpress, site); // starts PHP
}
