import { join } from "node:path";

/** A site's unix user, its database and its database user, which are called the same. */
export function accountOf(siteId: string): string {
  // 32 letters at most, the first one no digit.
  return `n${siteId.replaceAll("-", "").slice(0, 31)}`;
}

export const sitesGroup = "nido-sites";

/** Where a site's PHP listens: in a folder that only it and the edge may enter. */
export function phpSocket(runFolder: string, siteId: string): string {
  return join(runFolder, "php", siteId, "php.sock");
}

export function helperSocket(runFolder: string): string {
  return join(runFolder, "helper.sock");
}
