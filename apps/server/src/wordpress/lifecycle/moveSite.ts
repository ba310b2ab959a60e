import { findBackupRows } from "../backupRows.ts";
import { findWordPress } from "../queries.ts";
import { requestSite } from "../requestSite.ts";
import { backUp } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";

const recentMs = 15 * 60_000;

/**
 * Rewrites the address in a site's database to its current one, after a backup unless there is a recent one. Without one if it fails: the domain has
 * changed already.
 */
export async function moveSite(wordpress: WordPress, projectId: string, isFirstAttempt = true) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row || row.archivedAt) return;
  const site = siteOf(wordpress, row);
  if (isFirstAttempt && !site.isStaging && !(await hasRecentBackup(wordpress, projectId)))
    await backUp(wordpress, site, { reason: "domain" });
  await move(wordpress, site);
}

async function hasRecentBackup({ db }: WordPress, projectId: string): Promise<boolean> {
  const [last] = await findBackupRows(db, projectId);
  return last !== undefined && Date.now() - last.createdAt.getTime() < recentMs;
}

/** `from`: another address that some of its tables have */
export async function move(wordpress: WordPress, site: Site, from?: string) {
  const server: Record<string, string> = from === undefined ? {} : { NIDO_FROM: from };
  const request = { url: "/", script: { in: "nido", path: "move.php" }, server } as const;
  const answer = await requestSite(wordpress, site, request);
  if (answer !== "moved") throw new Error(`move.php of site ${site.id} printed: ${answer.slice(0, 500)}`);
}
