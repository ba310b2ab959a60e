import { enqueue } from "../../jobs/enqueue.ts";
import { runFairly } from "../../platform/runFairly.ts";
import { claimCron, markActive, releaseCron } from "../dueSites.ts";
import { updateByItselfJob } from "../jobs.ts";
import { findWordPress, type SiteRow } from "../queries.ts";
import { requestSite } from "../requestSite.ts";
import { siteOf, type WordPress } from "../WordPress.ts";

const lanes = 8;
/** The job runs every minute. */
const timeLimit = 45_000;
const timeoutSeconds = 60;
/** More than all lanes manage in a minute. */
const maxSites = 1000;

/**
 * Runs WP-Cron on the sites with a due event: scheduled posts, and whatever their plugins schedule. Each site reports
 * the time of its next event; if it does not, it is run again ten minutes later.
 */
export async function runCron(wordpress: WordPress) {
  const due = await claimCron(wordpress.db, maxSites);
  const left = new Set(due.map(({ id }) => id));
  await runFairly(due, { lanes, ownerOf: ({ userId }) => userId, timeLimit }, (row) => {
    left.delete(row.id);
    return runDue(wordpress, row);
  });
  await releaseCron(wordpress.db, [...left]);
}

async function runDue(wordpress: WordPress, row: SiteRow) {
  const script = { in: "core", path: "wp-cron.php" } as const;
  const request = { url: "/wp-cron.php?doing_wp_cron", script, seconds: timeoutSeconds };
  wordpress.reports.forget(row.id);
  try {
    // The site may have begun to move since it was claimed.
    if ((await findWordPress(wordpress.db, row.id))?.isMoving) return;
    const page = await requestSite(wordpress, siteOf(wordpress, row), request);
    if (page.startsWith("more than housekeeping")) await markActive(wordpress.db, row.id);
    if (page.includes("updates are due")) await enqueue(wordpress.db, updateByItselfJob, { projectId: row.id });
  } catch (error) {
    wordpress.log.warn({ err: error, project: row.id }, "WP-Cron of a site failed");
  }
}
