import { z } from "zod";
import { requestSite } from "../requestSite.ts";
import type { WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";
import { move } from "./moveSite.ts";

/** The dump as PHP finds it below `wp-content`, in a file that visitors cannot request. */
export const dumpName = ".nido-import.sql";

const maxTables = 2000;
const maxFailed = 50;
const name = z.string().max(200);
/** The site's own code may answer instead. */
const importSchema = z.object({
  place: z.int(),
  is_done: z.boolean(),
  tables: z.array(name).max(maxTables),
  problems: z.array(z.object({ table: name, text: z.string().max(1000) })).max(20),
});
const importMs = 2 * 60 * 60_000;
const moveAttempts = 20;

interface Options {
  /** of the dump's tables */
  prefix: string;
  /** only these, while the site's others stay; otherwise all, and no others remain */
  only?: string[];
}

/**
 * Brings the dump into a site's database, some seconds at a time, because no request to PHP may take longer. Returns the
 * tables that were made, and those of which something could not be brought in.
 */
export async function importDump(
  wordpress: WordPress,
  site: Site,
  { prefix, only }: Options,
  onPlace: (place: number) => Promise<void>,
) {
  const failed = new Set<string>();
  const tables = new Set<string>();
  const until = Date.now() + importMs;
  for (let place = 0, isDone = false; !isDone; ) {
    const request = { url: "/", script: { in: "nido", path: "import.php" } } as const;
    const server = { NIDO_IMPORT: JSON.stringify({ file: dumpName, prefix, place, only }) };
    const answer = importSchema.parse(JSON.parse(await requestSite(wordpress, site, { ...request, server })));
    for (const table of answer.tables) tables.add(table);
    if (tables.size > maxTables) throw new Error("an imported dump has too many tables");
    for (const problem of answer.problems) {
      if (failed.size === maxFailed || failed.has(problem.table)) continue;
      failed.add(problem.table);
      wordpress.log.warn({ project: site.id, ...problem }, "a statement of an imported dump has failed");
    }
    if (!answer.is_done && (answer.place <= place || Date.now() > until))
      throw new Error("the import of a dump makes no progress, or takes too long");
    ({ place, is_done: isDone } = answer);
    await onPlace(place);
  }
  return { tables, failed };
}

/** Brings the tables up to date, without the plugins that came in, and changes the addresses in them: `from` is one more of them. */
export async function finishImport(wordpress: WordPress, site: Site, from?: string) {
  const upgrade = { url: "/", script: { in: "nido", path: "upgrade.php" }, server: { NIDO_SAFE: "1" } } as const;
  await requestSite(wordpress, site, upgrade);
  // A large database takes longer than one request may. Repeated, it goes on where it ended.
  for (let attempt = 1; ; attempt++) {
    try {
      return await move(wordpress, site, from);
    } catch (error) {
      if (attempt === moveAttempts) throw error;
    }
  }
}
