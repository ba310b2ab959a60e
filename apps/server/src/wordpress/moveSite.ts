import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask } from "./ask.ts";
import { findWordPress } from "./queries.ts";
import { siteFolder } from "./siteFolder.ts";
import { siteOf, type WordPress } from "./WordPress.ts";
import type { Site } from "./WordPressRuntime.ts";

/** Brings what a site has written down of its address in line with the one it has. */
export async function moveSite(wordpress: WordPress, projectId: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (row && !row.archivedAt) await move(wordpress, siteOf(wordpress, row));
}

export async function move(wordpress: WordPress, site: Site) {
  const answer = await ask(wordpress, site, { url: "/", script: { in: "nido", path: "move.php" } });
  if (answer !== "moved") throw new Error(`moving it said: ${answer.slice(0, 500)}`);
  await renewPages(wordpress, site.id);
}

/** No page that was kept is shown again. */
async function renewPages({ dataDir }: WordPress, siteId: string) {
  const pages = join(siteFolder(dataDir, siteId).state, "pages");
  await rm(pages, { force: true });
  await writeFile(pages, String(Date.now()));
}
