import { retireSchedule } from "../dueSites.ts";
import { findWordPress } from "../queries.ts";
import { backUp } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { removeStaging } from "./removeStaging.ts";

/** Makes a last backup of an archived project's site as its archive, and removes the rest. */
export async function archiveSite(wordpress: WordPress, projectId: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row?.archivedAt) return;
  await removeStaging(wordpress.db, projectId);
  const runtime = wordpress.runtimeOf(row);
  // A site whose installation never finished has nothing to keep.
  if (await runtime.installedCore(projectId)) await backUp(wordpress, siteOf(wordpress, row), { reason: "archive" });
  // The mark goes first: a site that is half removed must not be backed up by a retry.
  await runtime.unmarkInstalled(projectId);
  await runtime.remove(projectId);
  await retireSchedule(wordpress.db, projectId);
}

/** Removes the archive of a deleted project, and whatever else is left of its site. */
export async function removeSiteFiles({ backups, runtimes }: WordPress, projectId: string) {
  for (const runtime of runtimes) await runtime.remove(projectId);
  await backups.removeAll(projectId);
}
