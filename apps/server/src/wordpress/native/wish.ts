import { join } from "node:path";

/** Where the runtime says what a site is to be. */
export function wishFile(dataDir: string, siteId: string): string {
  return join(dataDir, "wishes", `${siteId}.json`);
}

/** Where the runtime leaves what a site is to be restored from. */
export function restoringFolder(dataDir: string, siteId: string): string {
  return join(dataDir, "restoring", siteId);
}
