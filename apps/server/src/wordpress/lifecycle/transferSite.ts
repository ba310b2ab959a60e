import { setTimeout as pause } from "node:timers/promises";
import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { isOlder } from "../core/version.ts";
import { requestMail } from "../dueSites.ts";
import { findWordPress, type SiteRow, switchRuntime, updateWordPress } from "../queries.ts";
import { requestPlan } from "../requestPlan.ts";
import { checkHealth, requestSite } from "../requestSite.ts";
import { backUp, restoreBackup } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { RuntimeName, WordPressRuntime } from "../WordPressRuntime.ts";
import { noticeMs } from "./holdVisitors.ts";

const mailSeconds = 90;

/** Runs work while nobody else works on the site. */
type Alone = (work: () => Promise<void>) => Promise<void>;

/**
 * Moves a site to another runtime. From its backup to its first answer there, PHP runs for no visitor, so nothing is
 * written that would be lost; cached pages are served meanwhile. If anything fails, the site stays where it was.
 */
export async function transferSite(wordpress: WordPress, projectId: string, to: RuntimeName, alone: Alone) {
  const row = await findWordPress(wordpress.db, projectId);
  if (row && !row.archivedAt && row.runtime !== to) await emptyOutbox(wordpress, row, alone);
  await alone(() => transferAlone(wordpress, projectId, to));
}

async function transferAlone(wordpress: WordPress, projectId: string, to: RuntimeName) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row || row.archivedAt) return;
  const target = wordpress.runtimeOf({ runtime: to });
  if (row.runtime !== to) await transfer(wordpress, row, target);
  // It was to be moved elsewhere, which was interrupted.
  else if (row.isMoving) await save(wordpress, row, (tx) => updateWordPress(tx, row.id, { isMoving: false }));
  if (!(await target.installedCore(projectId))) throw new Error("the site is not complete where it should be");
  // Also after an earlier attempt that was interrupted here.
  for (const runtime of wordpress.runtimes) if (runtime !== target) await removeFrom(runtime, projectId);
}

async function transfer(wordpress: WordPress, row: SiteRow, target: WordPressRuntime) {
  const site = siteOf(wordpress, { ...row, isMoving: false });
  try {
    const moved = { ...site, runtime: target.name, core: await chooseCore(target, site.core) };
    const health = await checkHealth(wordpress, site);
    if (health.some((status) => status >= 500))
      throw new Error(`the site answers ${health.join(" and ")}: repair it first`);
    await stop(wordpress, row);
    await requireEmptyOutbox(wordpress.runtimeOf(row), row.id);
    await restoreBackup(wordpress, moved, await backUp(wordpress, site, { reason: "transfer", keepsAll: true }));
    await target.markInstalled(moved);
    if (moved.core !== site.core)
      await requestSite(wordpress, moved, { url: "/", script: { in: "nido", path: "upgrade.php" } });
    const now = await checkHealth(wordpress, moved);
    if (String(now) !== String(health))
      throw new Error(`its pages answered ${health} before the move and ${now} after it`);
    await save(wordpress, row, async (tx) => {
      const php = row.php ?? target.phpVersions[0] ?? null;
      await switchRuntime(tx, row, { runtime: moved.runtime, core: moved.core, php });
      // It may have changed while the site was on its way.
      await requestPlan(tx, row.id);
    });
  } catch (error) {
    await undo(wordpress, row, target);
    throw error;
  }
}

/** Removes the copy, unless the site has been switched to it although an error was reported. */
async function undo(wordpress: WordPress, { id, runtime }: SiteRow, target: WordPressRuntime) {
  const row = await findWordPress(wordpress.db, id);
  if (row?.runtime !== runtime) return;
  await removeFrom(target, id).catch((error) =>
    wordpress.log.error({ err: error, project: id }, "could not remove the copy of a site that was not moved"),
  );
  await save(wordpress, row, (tx) => updateWordPress(tx, id, { isMoving: false }));
}

/** The target's current version, or the site's own if that is newer and the target has it. */
async function chooseCore({ cores }: WordPressRuntime, core: string): Promise<string> {
  const { version } = await cores.current();
  if (!isOlder(version, core)) return version;
  if (cores.has(core)) return core;
  throw new Error(`the site has WordPress ${core}, but ${version} is the newest one there`);
}

/** From now on, PHP runs for no visitor. */
async function stop(wordpress: WordPress, row: SiteRow) {
  await save(wordpress, row, (tx) => updateWordPress(tx, row.id, { isMoving: true }));
  if (!row.isMoving) await pause(noticeMs);
  // An edge that has not heard of it cannot start PHP again.
  await wordpress.runtimeOf(row).stopSite(row.id);
}

/** Waits until the mail that waits is sent, which happens only while nobody holds the site's lock. */
async function emptyOutbox(wordpress: WordPress, row: SiteRow, alone: Alone) {
  const source = wordpress.runtimeOf(row);
  if (!(await hasMail(source, row.id))) return;
  try {
    await alone(() => stop(wordpress, row));
    for (let seconds = 0; seconds < mailSeconds && (await hasMail(source, row.id)); seconds++) {
      await requestMail(wordpress.db, row.id);
      await pause(1000);
    }
    await requireEmptyOutbox(source, row.id);
  } catch (error) {
    await alone(() => save(wordpress, row, (tx) => updateWordPress(tx, row.id, { isMoving: false })));
    throw error;
  }
}

/** A backup has no messages in it: they would be sent again when it is restored. */
export async function requireEmptyOutbox(runtime: WordPressRuntime, siteId: string) {
  if (await hasMail(runtime, siteId)) throw new Error("it has mail that waits to be sent, and that would be lost");
}

async function hasMail(runtime: WordPressRuntime, siteId: string): Promise<boolean> {
  return (await runtime.listMail(siteId, 1)).length > 0;
}

async function removeFrom(runtime: WordPressRuntime, siteId: string) {
  await runtime.unmarkInstalled(siteId);
  await runtime.remove(siteId);
}

async function save({ db }: WordPress, { userId }: SiteRow, change: (tx: Tx) => Promise<void>) {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await change(tx);
    await announceChange(tx, userId);
  });
}
