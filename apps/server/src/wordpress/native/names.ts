import { createHash } from "node:crypto";
import { join } from "node:path";
import type { DesiredState } from "./desiredState.ts";

/** The name of a site's unix user, database and database user. */
export function accountOf(siteId: string): string {
  // At most 32 characters, and the first must not be a digit.
  return `n${siteId.replaceAll("-", "").slice(0, 31)}`;
}

export const sitesGroup = "nido-sites";

/** The folder of a site's PHP socket. Only the web process can enter it, not the site. */
export function phpFolder(runFolder: string, siteId: string): string {
  return join(runFolder, "php", siteId);
}

/** The socket of a site's PHP-FPM. The name depends on the desired state, so another state means another socket. */
export function phpSocket(
  runFolder: string,
  siteId: string,
  { recipe, core, php = "", platform }: RunningState,
): string {
  const key = createHash("sha256").update(`${recipe} ${core} ${php} ${platform}`).digest("hex").slice(0, 12);
  return join(phpFolder(runFolder, siteId), `${key}.sock`);
}

type RunningState = Pick<DesiredState, "recipe" | "core" | "php" | "platform">;

export function managerSocket(runFolder: string): string {
  return join(runFolder, "site-manager.sock");
}
