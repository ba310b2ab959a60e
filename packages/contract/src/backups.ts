import { z } from "zod";
import type { ErrorKey } from "./errors.ts";
import type { Recipe } from "./recipes.ts";

const key = (error: ErrorKey) => ({ error });

/** Why a backup was made: every night, by the owner, or before something that may have to be undone. */
export const backupReasons = [
  "nightly",
  "manual",
  "command",
  "admin",
  "restore",
  "push",
  "update",
  "domain",
  "transfer",
  "plan",
  "archive",
] as const;
export type BackupReason = (typeof backupReasons)[number];

export interface Backup {
  /** identifies it among the backups of its site */
  name: string;
  reason: BackupReason;
  note: string;
  /** in bytes, compressed; absent if unknown */
  size?: number;
  /** the WordPress version; absent if unknown */
  core?: string;
  /** since the backup before it; absent if unknown */
  changes?: BackupChanges;
  /** ISO 8601 */
  created_at: string;
}

export const countedContent = ["posts", "pages", "media", "comments", "users"] as const;
export type CountedContent = (typeof countedContent)[number];

/** What is different in a backup from the one before it. */
export interface BackupChanges {
  /** how many more there are, or fewer */
  counts: Partial<Record<CountedContent, number>>;
  /** how many posts and pages of both were edited; absent if unknown */
  edited?: number;
  /** the names of plugins and themes */
  installed: string[];
  updated: string[];
  removed: string[];
}

/** `GET /api/projects/{id}/backups` */
export interface SiteBackups {
  /** the newest first */
  backups: Backup[];
  kept: KeptBackups;
}

/** How many backups of a site are kept. */
export interface KeptBackups {
  nightly: number;
  manual: number;
}

/** Backups that were made before something risky are kept for this time. */
export const undoDays = 7;

const kept: Partial<Record<Recipe, KeptBackups>> = {
  wordpress_pro: { nightly: 14, manual: 10 },
  wordpress_business: { nightly: 30, manual: 20 },
};

export function keptBackups(recipe: Recipe): KeptBackups {
  return kept[recipe] ?? { nightly: 7, manual: 5 };
}

export const backupNoteMaxLength = 100;
/** `POST /api/projects/{id}/backups` */
export const newBackupSchema = z.strictObject({
  note: z
    .string()
    .trim()
    .max(backupNoteMaxLength, { ...key("error_invalid_input"), abort: true })
    .regex(/^\P{Cc}*$/u, key("error_invalid_input")),
});

/** What is restored of a backup. */
export const restoreParts = ["all", "files", "database"] as const;
export type RestoreParts = (typeof restoreParts)[number];
export const restoreTargets = ["site", "staging"] as const;
export type RestoreTarget = (typeof restoreTargets)[number];
/** `POST /api/projects/{id}/backups/{name}/restore` */
export const restoreSchema = z.strictObject({
  parts: z.enum(restoreParts).default("all"),
  /** `staging`: a new staging copy, in which the rest is as in the site */
  to: z.enum(restoreTargets).default("site"),
});

/** What the platform is doing to a site, or failed to do. */
export interface SiteWork {
  kind: "backup" | "restore" | "copy" | "push" | "update" | "moveIn" | "plan";
  /** from 0 to 1 */
  progress: number;
  has_failed?: boolean;
  /** It failed, and so did the attempt to put the site back as it was before. */
  is_damaged?: boolean;
}
