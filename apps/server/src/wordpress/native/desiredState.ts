import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { recipes } from "@nido/contract";
import { z } from "zod";

const schema = z.object({
  recipe: z.enum(recipes),
  /** the WordPress version */
  core: z.string().regex(/^\d+(\.\d+){1,3}$/),
  /** the platform folder shared by all sites */
  platform: z.string().regex(/\/platform-[0-9a-f]+$/),
  /** the prepared database that a new site starts from: a file beside that version */
  prepared: z
    .string()
    .regex(/^platform-[0-9a-f]+-[a-z]+\.sql$/)
    .optional(),
});

/** The desired state of a site. The runtime writes it to a file, and the site manager reads it. */
export type DesiredState = z.output<typeof schema>;

export function desiredStateFile(dataDir: string, siteId: string): string {
  return join(dataDir, "desired", `${siteId}.json`);
}

/** Reads and validates the file. The site manager runs as root, so it trusts nothing that the web process wrote. */
export function readDesiredState(dataDir: string, siteId: string): DesiredState {
  const { data, error } = schema.safeParse(JSON.parse(readFileSync(desiredStateFile(dataDir, siteId), "utf8")));
  if (!data) throw new Error(`invalid desired state for site ${siteId}: ${z.prettifyError(error)}`);
  if (dirname(data.platform) !== join(dataDir, "wordpress"))
    throw new Error(
      `invalid desired state for site ${siteId}: platform folder ${data.platform} is outside the data folder`,
    );
  return data;
}

/** The dump of a database inside a backup. */
export const dumpFile = "database.sql";

/** Where the runtime leaves the files that a site is restored from. */
export function restoringFolder(dataDir: string, siteId: string): string {
  return join(dataDir, "restoring", siteId);
}
