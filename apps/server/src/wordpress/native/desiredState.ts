import { dirname, join } from "node:path";
import { recipes } from "@nido/contract";
import { z } from "zod";
import { readTrusted } from "./trustedFiles.ts";

const schema = z.object({
  recipe: z.enum(recipes),
  /** the WordPress version */
  core: z.string().regex(/^\d+(\.\d+){1,3}$/),
  /** the PHP version */
  php: z
    .string()
    .regex(/^\d+\.\d+$/)
    .optional(),
  /** the platform folder shared by all sites */
  platform: z.string().regex(/\/platform-[0-9a-f]+$/),
  /** the prepared database that a new site starts from: a file beside that version */
  prepared: z
    .string()
    .regex(/^platform-[0-9a-f]+-[a-z]+\.sql$/)
    .optional(),
  /** the backup that a site is restored from: a file among its backups */
  backup: z
    .string()
    .regex(/^[\w-]+\.tar\.gz$/)
    .optional(),
});

/** The desired state of a site. The runtime writes it to a file, and the site manager reads it. */
export type DesiredState = z.output<typeof schema>;

const maxBytes = 4096;

export function desiredStateFile(dataDir: string, siteId: string): string {
  return join(dataDir, "desired", `${siteId}.json`);
}

/** Reads and validates the file. The site manager runs as root, so it trusts nothing that the web process wrote. */
export async function readDesiredState(dataDir: string, webUser: number, siteId: string): Promise<DesiredState> {
  const text = await readTrusted(desiredStateFile(dataDir, siteId), webUser, maxBytes);
  const { data, error } = schema.safeParse(parse(text));
  if (!data) throw new Error(`invalid desired state for site ${siteId}: ${z.prettifyError(error)}`);
  if (dirname(data.platform) !== join(dataDir, "wordpress"))
    throw new Error(`invalid desired state for site ${siteId}: the platform folder is outside the data folder`);
  return data;
}

/** The dump of a database inside a backup. */
export const dumpFile = "database.sql";

/** Undefined for malformed JSON: the error's message would quote the file. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
