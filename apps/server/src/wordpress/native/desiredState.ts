import { join } from "node:path";

/** What a site is to be. */
export interface Wish {
  recipe: string;
  /** the version of WordPress */
  core: string;
  /** the folder of what it runs besides */
  platform: string;
  /** what its database begins with, a file beside that version */
  prepared?: string;
}

/** The copy of a database, in a backup. */
export const dumpFile = "database.sql";

/** Where the runtime says what a site is to be. */
export function wishFile(dataDir: string, siteId: string): string {
  return join(dataDir, "wishes", `${siteId}.json`);
}

/** Where the runtime leaves what a site is to be restored from. */
export function restoringFolder(dataDir: string, siteId: string): string {
  return join(dataDir, "restoring", siteId);
}
