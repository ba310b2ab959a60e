import { parseConfig } from "@nido/server/config/parseConfig";
import { SessionLocks } from "@nido/server/db/SessionLocks";
import { wordpressJobHandlers } from "@nido/server/wordpress/jobHandlers";
import { sql } from "drizzle-orm";
import type { WhenDone } from "./database.ts";
import type { Sites } from "./sites.ts";

const names = [
  "makeBackup",
  "restoreOwnSite",
  "copyToStaging",
  "updateOwnSite",
  "updateByItself",
  "fetchMoveIn",
  "inspectMoveIn",
  "moveIn",
];
const waiting = sql`key ~ ${`^(${names.join("|")}):`}`;

/** Runs what owners ask for as a worker would, when a test says so. */
export function openSiteJobs({ server: { db, wordpress, databaseUrl } }: Sites, whenDone: WhenDone) {
  const locks = new SessionLocks(databaseUrl, 2, () => undefined);
  whenDone(async () => locks.stop());
  const handlers = wordpressJobHandlers(wordpress, parseConfig({}), undefined, locks);
  return {
    /** Runs the one job that waits. It stays in the queue if it fails. */
    work: async (attempt = 1) => {
      const { rows } = await db.execute<{ key: string; payload: unknown }>(
        sql`select key, payload from graphile_worker._private_jobs where ${waiting}`,
      );
      const [job] = rows;
      if (!job || rows.length > 1) throw new Error(`${rows.length} jobs wait, not one`);
      const handler = handlers.find((one) => job.key.startsWith(`${one.job.name}:`));
      await handler?.run(job.payload, attempt);
      await db.execute(sql`delete from graphile_worker._private_jobs where key = ${job.key}`);
      return { run: () => handler?.run(job.payload, attempt + 1) };
    },
    forget: () => db.execute(sql`delete from graphile_worker._private_jobs where ${waiting}`),
  };
}
