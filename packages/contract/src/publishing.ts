import { z } from "zod";
import { tokenAccess, tokenMaxDays } from "./cliTokens.ts";
import type { Branch, Deploy } from "./deploys.ts";
import type { ErrorKey } from "./errors.ts";
import type { Language } from "./languages.ts";
import type { RuleFaultReason } from "./redirects.ts";
import { ruleTexts } from "./ruleTexts.ts";
import { filesPerDeploy, mainBranch, messageMaxLength, sitePasswordMinLength } from "./siteFiles.ts";
import { fileGroups, findingKinds, maxFindingItems, maxFindingText } from "./siteReport.ts";
import type { Domain, Project, ProjectStatus } from "./state.ts";
import { isStorableText } from "./storableText.ts";

const key = (error: ErrorKey) => ({ error });

/** A branch answers at `{branch}--{project}`, so its name must be valid in a host name and have no double hyphen. */
export const branchSchema = z
  .string()
  .max(20, { ...key("error_branch_invalid"), abort: true })
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, key("error_branch_invalid"));

export const siteFileSchema = z.strictObject({
  path: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, key("error_invalid_input")),
  size: z.int().nonnegative(),
});

export const newDeploySchema = z.strictObject({
  branch: branchSchema.default(mainBranch),
  message: z.string().trim().max(messageMaxLength, key("error_invalid_input")).default(""),
  /** idempotency key: the same for each attempt at the same deploy */
  key: z.string().regex(/^[\w-]{8,64}$/, key("error_invalid_input")),
  files: z.array(siteFileSchema).max(filesPerDeploy, key("error_files_too_many")),
  dry_run: z.boolean().default(false),
});
export type NewDeploy = z.input<typeof newDeploySchema>;

const storableText = (max: number) => z.string().max(max).refine(isStorableText, key("error_invalid_input"));

const findingItemSchema = z.strictObject({
  file: storableText(1100),
  line: z.int().positive().optional(),
  text: storableText(maxFindingText).optional(),
});

/** A `SiteReport`. */
export const siteReportSchema = z.strictObject({
  findings: z
    .array(
      z.strictObject({
        kind: z.enum(findingKinds),
        reason: z.enum(Object.keys(ruleTexts.en) as RuleFaultReason[]).optional(),
        count: z.int().positive().max(1e9),
        items: z.array(findingItemSchema).max(maxFindingItems),
      }),
    )
    .max(60),
  bytes: z.partialRecord(z.enum(fileGroups), z.int().nonnegative()),
});

/** The changes that a deploy would make to its branch. */
export interface DeployPlan {
  /** undefined for a dry run */
  id?: string;
  added: string[];
  changed: string[];
  removed: string[];
  /** digests of the files to send, because this account has not stored them yet */
  missing: string[];
  /** how many bytes all deploys of the account use, with this one, and may use; undefined for a dry run */
  storage?: { used: number; allowed: number };
}

/** The response to the CLI when a deploy has gone live. */
export interface PublishedDeploy {
  id: string;
  /** of its branch */
  url: string;
  /** its permanent address */
  deploy_url?: string;
}

/** The password of a static site, or of one of its branches; null: everybody may see it again. */
export const sitePasswordSchema = z.strictObject({
  branch: branchSchema.optional(),
  password: z
    .string()
    .min(sitePasswordMinLength, key("error_site_password"))
    .max(128, key("error_site_password"))
    .nullable(),
});

const deployId = z.string().regex(/^[\w-]{1,64}$/, key("error_deploy_not_found"));

export const cliRollBackSchema = z.strictObject({ deploy: deployId, branch: branchSchema.default(mainBranch) });
export const cliPromoteSchema = z.strictObject({ deploy: deployId });

/** A static site as the CLI API presents it. */
export interface CliProject {
  name: string;
  url: string;
  status: ProjectStatus;
  branches: Record<string, Branch>;
  deploys: Deploy[];
  domains: Domain[];
}

/** A WordPress site, in `GET /api/cli/sites`. */
export type CliSite = Pick<
  Project,
  "id" | "name" | "address" | "status" | "disk" | "backed_up_at" | "work" | "staging"
>;

export interface CliAccount {
  email: string;
  lang: Language;
}

/** A new token for machines such as CI. */
export const newTokenSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^\P{Cc}+$/u),
  /** the only project that it reaches; without one, it reaches all */
  project: z.string().max(20).optional(),
  access: z.enum(tokenAccess).default("publish"),
  /** until it expires */
  days: z.int().min(1).max(tokenMaxDays).default(tokenMaxDays),
});
