import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { findRunning, type SiteRow } from "../queries.ts";
import { ask } from "../requestSite.ts";
import { siteFolder } from "../siteFolder.ts";
import { siteOf, type WordPress } from "../WordPress.ts";

const atOnce = 4;
const longest = 20;

/** Wakes the sites that have something to do: scheduled posts, and whatever their plugins do at times. */
export async function runTimetables(wordpress: WordPress) {
  const sites = (await findRunning(wordpress.db)).filter(({ status }) => status === "active");
  const waiting = sites[Symbol.iterator]();
  // One that takes long does not keep all others waiting.
  await Promise.all(Array.from({ length: atOnce }, () => wakeEach(wordpress, waiting)));
}

async function wakeEach(wordpress: WordPress, waiting: Iterator<SiteRow>) {
  for (let next = waiting.next(); !next.done; next = waiting.next()) {
    const row = next.value;
    if (!(await isDue(siteFolder(wordpress.dataDir, row.id).state))) continue;
    const url = "/wp-cron.php?doing_wp_cron";
    await ask(wordpress, siteOf(wordpress, row), { url, script: { in: "core", path: "wp-cron.php" } }).catch((error) =>
      wordpress.log.warn({ err: error, project: row.id }, "a site did not do what its timetable says"),
    );
  }
}

/** The site itself wrote down when it next wants to be woken; one that says nothing, or nonsense, sleeps. */
async function isDue(state: string): Promise<boolean> {
  const file = join(state, "timetable");
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  const moment = size > 0 && size < longest ? Number(await readFile(file, "utf8")) : 0;
  return moment > 0 && moment * 1000 <= Date.now();
}
