import { z } from "zod";
import type { Branch, Deploy } from "./deploys.ts";
import type { ErrorKey } from "./errors.ts";
import type { Language } from "./languages.ts";
import { filesPerDeploy, mainBranch, messageMaxLength } from "./siteFiles.ts";
import type { Domain, ProjectStatus } from "./state.ts";

const key = (error: ErrorKey) => ({ error });

/** A branch has an address of its own, `{branch}--{project}`, so it is a part of a host name without two hyphens in a row. */
export const branchSchema = z
  .string()
  .max(20, { ...key("error_branch_invalid"), abort: true })
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, key("error_branch_invalid"));

export const newDeploySchema = z.strictObject({
  branch: branchSchema.default(mainBranch),
  message: z.string().trim().max(messageMaxLength, key("error_invalid_input")).default(""),
  /** the same for each attempt at the same publication */
  key: z.string().regex(/^[\w-]{8,64}$/, key("error_invalid_input")),
  files: z
    .array(
      z.strictObject({
        path: z.string(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/, key("error_invalid_input")),
        size: z.int().nonnegative(),
      }),
    )
    .max(filesPerDeploy, key("error_files_too_many")),
  dry_run: z.boolean().default(false),
});
export type NewDeploy = z.input<typeof newDeploySchema>;

/** What publishing these files would change. */
export interface DeployPlan {
  /** undefined for a dry run */
  id?: string;
  added: string[];
  changed: string[];
  removed: string[];
  /** the digests to send: none of this account's kept files has them */
  missing: string[];
}

/** What the tool is told when a deploy is shown. */
export interface PublishedDeploy {
  id: string;
  url: string;
}

export const rollBackByToolSchema = z.strictObject({
  deploy: z.string().regex(/^[\w-]{1,64}$/, key("error_deploy_not_found")),
  branch: branchSchema.default(mainBranch),
});

/** A static site, as the tool sees it. */
export interface ToolProject {
  name: string;
  url: string;
  status: ProjectStatus;
  branches: Record<string, Branch>;
  deploys: Deploy[];
  domains: Domain[];
}

export interface ToolAccount {
  email: string;
  lang: Language;
}

/** A way in for a tool; it is told once. */
export interface ToolLogin {
  token: string;
}

/** A login that is answered in a browser elsewhere. */
export interface DeviceLogin {
  device_code: string;
  /** what the customer types */
  user_code: string;
  /** where; the code is in it */
  url: string;
  /** in seconds: how long to wait between two questions, and until it is too late */
  interval: number;
  expires_in: number;
}

/** A way in for a machine that nobody sits at. */
export interface NamedToken {
  id: string;
  name: string;
  created_at: string;
  used_at: string | null;
}
