import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ask } from "./ask.ts";
import { findRunning } from "./queries.ts";
import { siteFolder } from "./siteFolder.ts";
import { siteOf, type WordPress } from "./WordPress.ts";

/** Wakes the sites that have something to do: scheduled posts, and whatever their plugins do at times. */
export async function runTimetables(wordpress: WordPress) {
  const { db, dataDir, log } = wordpress;
  for (const row of await findRunning(db)) {
    if (row.status !== "active" || !(await isDue(siteFolder(dataDir, row.id).state))) continue;
    const url = "/wp-cron.php?doing_wp_cron";
    await ask(wordpress, siteOf(wordpress, row), { url, script: { in: "core", path: "wp-cron.php" } }).catch((error) =>
      log.warn({ err: error, project: row.id }, "a site did not do what its timetable says"),
    );
  }
}

/** The site itself wrote down when it next wants to be woken; one that says nothing sleeps. */
async function isDue(state: string): Promise<boolean> {
  const moment = Number(await readFile(join(state, "timetable"), "utf8").catch(() => "0"));
  return moment > 0 && moment * 1000 <= Date.now();
}
