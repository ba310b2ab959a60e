import { z } from "zod";
import { restoreParts } from "./backups.ts";
import type { Recipe } from "./recipes.ts";

/** Where a copy of a WordPress site is found: `staging--{project}`, which no project and no branch of one can have. */
export const stagingBranch = "staging";

export function hasStaging(recipe: Recipe): boolean {
  return recipe === "wordpress_pro" || recipe === "wordpress_business";
}

/** A copy of a WordPress site, to try changes on. */
export interface StagingSite {
  id: string;
  url: string;
  /** when it was last copied from the site, ISO 8601; absent until the first time */
  copied_at?: string;
}

/** Our sites have no others. */
export const pushedTable = /^wp_\w{1,60}$/;

/** `POST /api/projects/{id}/staging/push` */
export const pushSchema = z
  .strictObject({
    parts: z.enum(restoreParts),
    /** only these of the database's; the others stay as they are */
    tables: z.array(z.string().regex(pushedTable)).min(1).max(1000).optional(),
  })
  .refine(({ parts, tables }) => parts !== "files" || !tables);
