import { z } from "zod";
import type { ErrorKey } from "./errors.ts";
import { parsePattern } from "./pathPattern.ts";
import { isStorableText } from "./storableText.ts";
import { redirectFaults } from "./wordpressRedirects.ts";

const key = (error: ErrorKey) => ({ error });

export const maxRootFiles = 10;
const maxFileLength = 8000;
const maxRedirectsLength = 16_000;
const maxUncached = 20;

/** A file at the root of a site or in `/.well-known`: never PHP, and not what certificate authorities look for. */
const rootFile = /^(\.well-known\/(?!acme-challenge$))?[\w-][\w.-]{0,98}$/i;
const extensions = /(^[^.]*|\.(txt|html?|xml|json|webmanifest|asc|pem|svg|css|js))$/i;

export function isRootFileName(name: string): boolean {
  const last = name.split("/").at(-1) ?? "";
  return rootFile.test(name) && extensions.test(last) && !/^wp-|^index\./i.test(last);
}

/** `GET` and `PUT /api/projects/{id}/rules`: what the edge does before WordPress is asked. */
export const siteRulesSchema = z.strictObject({
  /** lines of a `_redirects` file, without rewrites */
  redirects: z
    .string()
    .max(maxRedirectsLength, { ...key("error_rules_long"), abort: true })
    .refine((text) => isStorableText(text) && redirectFaults(text).length === 0, key("error_rules_redirect")),
  files: z
    .array(
      z.strictObject({
        name: z.string().refine(isRootFileName, key("error_rules_file")),
        content: z.string().max(maxFileLength, key("error_rules_long")).refine(isStorableText, key("error_rules_file")),
      }),
    )
    .max(maxRootFiles, key("error_rules_long"))
    .refine((files) => new Set(files.map(({ name }) => name)).size === files.length, key("error_rules_file")),
  /** patterns of paths whose pages are not kept: `/shop/*` */
  uncached: z
    .array(
      z
        .string()
        .max(200, key("error_rules_long"))
        .refine(
          (text) => isStorableText(text) && !/\s/.test(text) && typeof parsePattern(text) === "object",
          key("error_rules_path"),
        ),
    )
    .max(maxUncached, key("error_rules_long")),
});
export type SiteRules = z.infer<typeof siteRulesSchema>;

export const noRules: SiteRules = { redirects: "", files: [], uncached: [] };
