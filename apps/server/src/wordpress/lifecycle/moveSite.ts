import { findWordPress } from "../queries.ts";
import { requestSite } from "../requestSite.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";

/** Rewrites the address in a site's database to its current one. */
export async function moveSite(wordpress: WordPress, projectId: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (row && !row.archivedAt) await move(wordpress, siteOf(wordpress, row));
}

export async function move(wordpress: WordPress, site: Site) {
  const request = { url: "/", script: { in: "nido", path: "move.php" } } as const;
  const answer = await requestSite(wordpress, site, request);
  if (answer !== "moved") throw new Error(`move.php of site ${site.id} printed: ${answer.slice(0, 500)}`);
}
