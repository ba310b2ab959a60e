import { findWordPress } from "../queries.ts";
import { ask } from "../requestSite.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";

const seconds = 600;

/** Brings what a site has written down of its address in line with the one it has. */
export async function moveSite(wordpress: WordPress, projectId: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (row && !row.archivedAt) await move(wordpress, siteOf(wordpress, row));
}

export async function move(wordpress: WordPress, site: Site) {
  const question = { url: "/", script: { in: "nido", path: "move.php" }, seconds } as const;
  const answer = await ask(wordpress, site, question);
  if (answer !== "moved") throw new Error(`moving it said: ${answer.slice(0, 500)}`);
}
