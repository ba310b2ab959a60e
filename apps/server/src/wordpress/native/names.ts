import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Wish } from "./desiredState.ts";

/** A site's unix user, its database and its database user, which are called the same. */
export function accountOf(siteId: string): string {
  // 32 letters at most, the first one no digit.
  return `n${siteId.replaceAll("-", "").slice(0, 31)}`;
}

export const sitesGroup = "nido-sites";

/** A folder that only the site's PHP and the edge may enter. */
export function phpFolder(runFolder: string, siteId: string): string {
  return join(runFolder, "php", siteId);
}

/** Where a site's PHP listens. It sees what it was started with: with another wish, it is another one. */
export function phpSocket(runFolder: string, siteId: string, { recipe, core, platform }: Wish): string {
  const key = createHash("sha256").update(`${recipe} ${core} ${platform}`).digest("hex").slice(0, 12);
  return join(phpFolder(runFolder, siteId), `${key}.sock`);
}

export function helperSocket(runFolder: string): string {
  return join(runFolder, "helper.sock");
}
