import { join } from "node:path";

/** Where the runtime says what a site is to be. */
export function wishFile(dataDir: string, siteId: string): string {
  return join(dataDir, "wishes", `${siteId}.json`);
}
