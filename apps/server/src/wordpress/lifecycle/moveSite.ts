import { findWordPress } from "../queries.ts";
import { requestSite } from "../requestSite.ts";
import { backUp } from "../upkeep/backups.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";

/**
 * Rewrites the address in a site's database to its current one, after a backup. Without one if it fails: the domain has
 * changed already.
 */
export async function moveSite(wordpress: WordPress, projectId: string, isFirstAttempt = true) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row || row.archivedAt) return;
  const site = siteOf(wordpress, row);
  if (isFirstAttempt && !site.isStaging) await backUp(wordpress, site, { reason: "domain" });
  await move(wordpress, site);
}

export async function move(wordpress: WordPress, site: Site) {
  const request = { url: "/", script: { in: "nido", path: "move.php" } } as const;
  const answer = await requestSite(wordpress, site, request);
  if (answer !== "moved") throw new Error(`move.php of site ${site.id} printed: ${answer.slice(0, 500)}`);
}
