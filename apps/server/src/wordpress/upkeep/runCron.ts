import { basename, dirname } from "node:path";
import { readUntrusted } from "../../platform/openUntrusted.ts";
import { findRunning, type SiteRow } from "../queries.ts";
import { requestSite } from "../requestSite.ts";
import { siteFolder } from "../siteFolder.ts";
import { siteOf, type WordPress } from "../WordPress.ts";

const concurrency = 4;
const maxFileBytes = 20;

/** Runs WP-Cron on the sites with a due event: scheduled posts, and whatever their plugins schedule. */
export async function runCron(wordpress: WordPress) {
  const sites = (await findRunning(wordpress.db)).filter(({ status }) => status === "active");
  const waiting = sites[Symbol.iterator]();
  // Concurrently, so that one slow site does not delay all others.
  await Promise.all(Array.from({ length: concurrency }, () => runEach(wordpress, waiting)));
}

async function runEach(wordpress: WordPress, waiting: Iterator<SiteRow>) {
  for (let next = waiting.next(); !next.done; next = waiting.next()) {
    const row = next.value;
    if (!(await isDue(siteFolder(wordpress.dataDir, row.id).nextCron))) continue;
    const request = { url: "/wp-cron.php?doing_wp_cron", script: { in: "core", path: "wp-cron.php" } } as const;
    await requestSite(wordpress, siteOf(wordpress, row), request).catch((error) =>
      wordpress.log.warn({ err: error, project: row.id }, "WP-Cron of a site failed"),
    );
  }
}

/** The site writes the time of its next event to a file. A missing or malformed file means that none is due. */
async function isDue(file: string): Promise<boolean> {
  const text = await readUntrusted(dirname(file), basename(file), maxFileBytes);
  const seconds = Number(text?.toString());
  return seconds > 0 && seconds * 1000 <= Date.now();
}
