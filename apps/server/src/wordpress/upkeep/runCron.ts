import { basename, dirname } from "node:path";
import { readUntrusted } from "../../platform/openUntrusted.ts";
import { runFairly } from "../../platform/runFairly.ts";
import { findRunning, type SiteRow } from "../queries.ts";
import { requestSite } from "../requestSite.ts";
import { siteFolder } from "../siteFolder.ts";
import { siteOf, type WordPress } from "../WordPress.ts";

const lanes = 8;
/** The job runs every minute. */
const timeLimit = 45_000;
const timeoutSeconds = 60;
const maxFileBytes = 20;

/** Runs WP-Cron on the sites with a due event: scheduled posts, and whatever their plugins schedule. */
export async function runCron(wordpress: WordPress) {
  const due: SiteRow[] = [];
  for (const row of await findRunning(wordpress.db))
    if (row.status === "active" && (await isDue(siteFolder(wordpress.dataDir, row.id).nextCron))) due.push(row);
  await runFairly(due, { lanes, ownerOf: ({ userId }) => userId, timeLimit }, (row) => runDue(wordpress, row));
}

async function runDue(wordpress: WordPress, row: SiteRow) {
  const script = { in: "core", path: "wp-cron.php" } as const;
  const request = { url: "/wp-cron.php?doing_wp_cron", script, seconds: timeoutSeconds };
  await requestSite(wordpress, siteOf(wordpress, row), request).catch((error) =>
    wordpress.log.warn({ err: error, project: row.id }, "WP-Cron of a site failed"),
  );
}

/** The site writes the time of its next event to a file. A missing or malformed file means that none is due. */
async function isDue(file: string): Promise<boolean> {
  // A site that is being restored has no folder for a moment.
  const text = await readUntrusted(dirname(file), basename(file), maxFileBytes).catch(() => undefined);
  const seconds = Number(text?.toString());
  return seconds > 0 && seconds * 1000 <= Date.now();
}
