import type { RestoreParts } from "@nido/contract";
import { settingsName } from "../BackupStore.ts";
import { isOlder } from "../core/version.ts";

/** Whether a file of a backup belongs to the chosen parts. The settings with a site's keys never do. */
export function isOfParts(parts: RestoreParts, path: string): boolean {
  return path !== settingsName && (parts === "all" || path.startsWith("wp-content/") === (parts === "files"));
}

/** The WordPress version that a site needs with parts of another: never one that is older than its database. */
export function coreFor(own: string, parts: RestoreParts, other: string | undefined): string {
  return parts !== "files" && other && isOlder(own, other) ? other : own;
}
