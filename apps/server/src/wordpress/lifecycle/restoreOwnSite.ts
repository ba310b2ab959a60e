import { hasStaging, type RestoreParts, resourcesOf } from "@nido/contract";
import { platform, record } from "../../activity/record.ts";
import type { StoredBackup } from "../BackupStore.ts";
import { findBackupRow } from "../backupRows.ts";
import { findStaging, findWordPress, type SiteRow, updateWordPress } from "../queries.ts";
import { type BackupSource, backUp } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { findWork, progressOf, setWork } from "../work.ts";
import { holdVisitors } from "./holdVisitors.ts";
import { coreFor, isOfParts } from "./partsOfBackup.ts";
import { bringInTables, dumpEntry, dumpTables } from "./pushTables.ts";
import { removeStaging } from "./removeStaging.ts";
import { chooseRuntime, replaceSite } from "./restoreSite.ts";

interface Request {
  projectId: string;
  /** of the work */
  id: string;
  /** undefined: the staging copy is pushed */
  backup?: string | undefined;
  /** the WordPress version that it needs, if the site has another now */
  core?: string | undefined;
  /** unless all of it is restored, the rest stays as it is */
  parts: RestoreParts;
  /** only these of the staging copy's database */
  tables?: string[] | undefined;
}

/** The backup that takes a restore, a push, an update or another risky act back. */
export interface RestoreUndo {
  backup: string;
  /** the WordPress version of then */
  core?: string;
  /** of an update: what is not made by itself again */
  targets?: Record<string, string>;
}

/** Restores what the owner of a site chose, or pushes the staging copy, after a backup of the current state, which takes it back. */
export async function restoreOwnSite(wordpress: WordPress, request: Request, isLastAttempt: boolean) {
  const { db, backups } = wordpress;
  const { projectId, id, backup } = request;
  const row = await findWordPress(db, projectId);
  let work = await findWork(db, projectId);
  // Otherwise it was done before, or replaced by another request.
  if (!row || work?.id !== id) return;
  const staging = backup ? undefined : await findStaging(db, projectId);
  // The project or its copy was deleted since.
  if (row.archivedAt || !(backup || staging)) {
    const { holdsVisitors } = work;
    return setWork(db, row, null, async (tx) => {
      if (holdsVisitors) await updateWordPress(tx, projectId, { isMoving: false });
    });
  }
  const { site: before } = await chooseRuntime(wordpress, row);
  const { site } = await chooseRuntime(wordpress, { ...row, core: await findCore(wordpress, row, request, staging) });
  const reason = staging ? "push" : "restore";
  let { snapshot } = work;
  try {
    const prepared = staging && (await prepare(wordpress, request, row, staging));
    // The tables that stay are those of the snapshot, so nothing may be added to them any longer.
    if (prepared?.dump) work = await holdVisitors(wordpress, row, work);
    const show = progressOf(db, row, work);
    snapshot ??= await backUp(wordpress, before, { reason, onProgress: (part) => show(part / 2) });
    work = { ...work, snapshot, progress: 0.5 };
    await setWork(db, row, work);
    if (site.core !== before.core) work = await holdVisitors(wordpress, row, work);
    await replaceSite(wordpress, site, sourceOf(request, prepared, snapshot));
    if (staging && request.tables)
      await bringInTables(wordpress, site, { tables: request.tables, from: siteOf(wordpress, staging).url });
  } catch (error) {
    if (!isLastAttempt) throw error;
    // Nothing of the attempts remains. If this fails, too, the snapshot is kept for the owner's next attempt.
    if (snapshot) await replaceSite(wordpress, before, snapshot);
    const { snapshot: _, ...rest } = work;
    await setWork(db, row, rest);
    if (staging) await backups.removeAll(staging.id);
    throw error;
  }
  const undo: RestoreUndo = { backup: snapshot, core: row.core };
  await setWork(db, row, null, async (tx) => {
    await updateWordPress(tx, projectId, { core: site.core, runtime: site.runtime, isMoving: false });
    const kind = staging ? "stagingPushed" : "backupRestored";
    await record(tx, row.userId, platform, { kind, params: { project: row.name }, projectId, undo });
  });
  if (!staging) return;
  await backups.removeAll(staging.id);
  // It was there only to look at a site that was moved in.
  if (!hasStaging(row.recipe)) await removeStaging(db, projectId);
}

/** The WordPress version that the site has afterwards. */
async function findCore(
  { db }: WordPress,
  row: SiteRow,
  { backup, core, parts }: Request,
  staging: SiteRow | undefined,
): Promise<string> {
  const other = backup ? (await findBackupRow(db, row.id, backup))?.core : staging?.core;
  return core ?? coreFor(row.core, parts, other);
}

/** What a staging copy contributes to the site. */
interface Prepared {
  /** absent if only tables are pushed */
  archive?: StoredBackup;
  /** the file with the chosen tables */
  dump?: string;
}

/** Reads the staging copy before anything happens to the site. */
async function prepare(
  wordpress: WordPress,
  { parts, tables }: Request,
  row: SiteRow,
  staging: SiteRow,
): Promise<Prepared> {
  const { backups } = wordpress;
  // What an interrupted attempt left.
  await backups.removeAll(staging.id);
  const archive = parts === "all" || !tables ? await pack(wordpress, staging) : undefined;
  if (!tables) return { ...(archive && { archive }) };
  const dump = await backups.temporaryFile(staging.id, "tables.sql");
  await dumpTables(wordpress, siteOf(wordpress, staging), tables, {
    path: dump,
    maxBytes: resourcesOf(row.recipe).disk,
  });
  return { ...(archive && { archive }), dump };
}

/** What stays as it is comes from the backup that was made before. */
function sourceOf(
  { projectId, backup, parts }: Request,
  prepared: Prepared | undefined,
  snapshot: string,
): BackupSource {
  if (backup && parts === "all") return backup;
  const own = (name: string): StoredBackup => ({ siteId: projectId, name });
  const chosen = backup ? own(backup) : prepared?.archive;
  const dump = prepared?.dump;
  const chosenParts = dump ? "files" : parts;
  return {
    ...(chosen && { chosen }),
    isChosen: (path) => chosen !== undefined && isOfParts(chosenParts, path),
    rest: own(snapshot),
    ...(dump && { added: () => dumpEntry(dump) }),
  };
}

async function pack(wordpress: WordPress, staging: SiteRow): Promise<StoredBackup> {
  const { backups, runtimeOf, signal } = wordpress;
  await backups.requireRoom(staging.diskUsed);
  const archive = await runtimeOf(staging).pack(siteOf(wordpress, staging), signal);
  return { siteId: staging.id, name: await backups.add(staging.id, archive) };
}
