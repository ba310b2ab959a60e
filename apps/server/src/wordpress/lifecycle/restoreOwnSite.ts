import type { RestoreParts } from "@nido/contract";
import { platform, record } from "../../activity/record.ts";
import { findWordPress, updateWordPress } from "../queries.ts";
import { type BackupSource, backUp } from "../upkeep/backups.ts";
import type { WordPress } from "../WordPress.ts";
import { findWork, progressOf, setWork } from "../work.ts";
import { chooseRuntime, replaceSite } from "./restoreSite.ts";

interface Request {
  projectId: string;
  /** of the work */
  id: string;
  backup: string;
  /** unless all of it is restored, the rest stays as it is */
  parts: RestoreParts;
}

/** The backup that takes a restore back. */
export interface RestoreUndo {
  backup: string;
}

/** Restores what the owner of a site chose, after a backup of its current state, which takes it back. */
export async function restoreOwnSite(wordpress: WordPress, request: Request, isLastAttempt: boolean) {
  const { db } = wordpress;
  const { projectId, id, backup, parts } = request;
  const row = await findWordPress(db, projectId);
  const work = await findWork(db, projectId);
  // Otherwise it was done before, or replaced by another request.
  if (!row || work?.id !== id) return;
  // It was deleted since.
  if (row.archivedAt) return setWork(db, row, null);
  const { site } = await chooseRuntime(wordpress, row);
  const show = progressOf(db, row, work);
  const snapshot =
    work.snapshot ?? (await backUp(wordpress, site, { reason: "restore", onProgress: (part) => show(part / 2) }));
  const { snapshot: _, ...rest } = work;
  await setWork(db, row, { ...rest, snapshot, progress: 0.5 });
  try {
    await replaceSite(wordpress, site, sourceOf(parts, backup, snapshot));
  } catch (error) {
    if (isLastAttempt) {
      // Nothing of the attempts remains. If this fails, too, the snapshot is kept for the owner's next attempt.
      await replaceSite(wordpress, site, snapshot);
      await setWork(db, row, rest);
    }
    throw error;
  }
  const undo: RestoreUndo = { backup: snapshot };
  await setWork(db, row, null, async (tx) => {
    await updateWordPress(tx, projectId, { core: site.core, runtime: site.runtime, isMoving: false });
    await record(tx, row.userId, platform, { kind: "backupRestored", params: { project: row.name }, projectId, undo });
  });
}

/** What stays as it is comes from the backup that was made before. */
function sourceOf(parts: RestoreParts, backup: string, snapshot: string): BackupSource {
  if (parts === "all") return backup;
  return parts === "files" ? { files: backup, rest: snapshot } : { files: snapshot, rest: backup };
}
