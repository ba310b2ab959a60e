import type { Actor } from "@nido/contract";
import { enqueue } from "../jobs/enqueue.ts";
import { findBackupRows } from "./backupRows.ts";
import { makeBackupJob } from "./jobs.ts";
import type { RestoreUndo } from "./lifecycle/restoreOwnSite.ts";
import type { SiteRow } from "./queries.ts";
import type { SiteApi } from "./SiteApi.ts";
import type { WordPress } from "./WordPress.ts";
import { beginWork, failVanishedWork, findWork } from "./work.ts";

/** What changes a lot at once: a command of WP-CLI, or plugins and themes in WordPress's administration. */
type RiskyAct = "command" | "admin";

interface Request {
  before: RiskyAct;
  note: string;
  actor: Actor;
}

/** A backup that is being made. */
export interface BegunBackup {
  before: RiskyAct;
  /** the id of the work */
  work: string;
  /** the newest backup of before */
  last: string;
}

/** Begins a backup of a site before something risky. Throws if other work is under way. */
export async function beginBackup(
  { wordpress: { db }, change }: Pick<SiteApi, "wordpress" | "change">,
  site: SiteRow,
  { before, note, actor }: Request,
): Promise<BegunBackup> {
  const [last] = await findBackupRows(db, site.id);
  let work = "";
  await change(site, async (tx) => {
    work = await beginWork(tx, site.id, { kind: "backup" });
    await enqueue(tx, makeBackupJob, { projectId: site.id, id: work, note, before, actor });
  });
  return { before, work, last: last?.name ?? "" };
}

/** How far the backup is, from 0 to 1; undefined once it has ended. */
export async function progressOfBackup({ db }: WordPress, site: SiteRow, { work: id }: BegunBackup) {
  await failVanishedWork(db, site);
  const work = await findWork(db, site.id);
  return work?.id === id && !work.has_failed ? work.progress : undefined;
}

/** What takes back that which follows; undefined if the backup failed. */
export async function findUndoOfAct(
  { db }: WordPress,
  site: SiteRow,
  { before, last }: BegunBackup,
): Promise<RestoreUndo | undefined> {
  const made = (await findBackupRows(db, site.id)).find(({ reason, name }) => reason === before && name > last);
  return made && { backup: made.name, core: site.core };
}
