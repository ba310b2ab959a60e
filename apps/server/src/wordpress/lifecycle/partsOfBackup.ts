import type { RestoreParts } from "@nido/contract";
import { settingsName } from "../BackupStore.ts";
import { findBackupRow } from "../backupRows.ts";
import { isOlder } from "../core/version.ts";
import type { SiteRow } from "../queries.ts";
import type { WordPress } from "../WordPress.ts";

/** Whether a file of a backup belongs to the chosen parts. The settings with a site's keys never do. */
export function isOfParts(parts: RestoreParts, path: string): boolean {
  return path !== settingsName && (parts === "all" || path.startsWith("wp-content/") === (parts === "files"));
}

/** The WordPress version that a site needs with parts of another: never one that is older than its database. */
export function coreFor(own: string, parts: RestoreParts, other: string | undefined): string {
  return parts !== "files" && other && isOlder(own, other) ? other : own;
}

/** Undefined if it is unknown. */
export async function coreOfBackup({ db }: WordPress, { id }: SiteRow, name: string): Promise<string | undefined> {
  return (await findBackupRow(db, id, name))?.core;
}
