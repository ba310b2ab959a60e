import { z } from "zod";

/** How many pages are looked at before and after an update, besides the home page. */
export const maxCheckedPages = 3;

const item = z.object({
  kind: z.enum(["plugin", "theme"]),
  /** a plugin's main file, or a theme's folder */
  id: z.string().max(300),
  name: z.string().max(300),
  version: z.string().max(100),
  new_version: z.string().max(100),
  /** what its author says about the update, such as that it closes a security hole; may be empty */
  notice: z.string().max(1000).default(""),
  /** It is made at night by itself. */
  is_automatic: z.boolean(),
});
export type UpdateItem = z.infer<typeof item>;

/** What PHP tells about a site's updates. */
export const siteUpdatesSchema = z.object({
  php: z.string().max(50),
  items: z.array(item).max(500),
  /** of what was to be updated, afterwards */
  versions: z.record(z.string(), z.string().max(100)),
  /** paths of pages that are looked at before and after an update */
  pages: z.array(z.string().max(1000)).max(maxCheckedPages),
});

/** `GET /api/projects/{id}/updates` */
export interface SiteUpdates extends Omit<z.infer<typeof siteUpdatesSchema>, "pages" | "versions"> {
  /** those that can be chosen, such as `8.4`; none where there is no choice */
  php_versions: string[];
  /** of WordPress */
  version: string;
  /** a WordPress version that the site can be updated to */
  newest?: string;
  /** whether the site is updated to every new WordPress */
  wants_majors: boolean;
  /** the paths that the owner chose; none: the newest pages are looked at */
  checked_pages: string[];
}

const ids = z.array(z.string().max(300)).max(200);
/** `POST /api/projects/{id}/updates` */
export const updateSchema = z
  .strictObject({
    /** the version that WordPress is updated to */
    core: z.string().max(20).optional(),
    /** the version of PHP; it is changed alone, so that its owner sees what broke the pages */
    php: z.string().max(20).optional(),
    plugins: ids,
    themes: ids,
  })
  .refine(({ core, php, plugins, themes }) => !php || (!core && plugins.length + themes.length === 0));
export type UpdateRequest = z.infer<typeof updateSchema>;

/** `PUT /api/projects/{id}/updates` */
export const updateSettingsSchema = z.union([
  z.strictObject({ wants_majors: z.boolean() }),
  z.strictObject({ checked_pages: z.array(z.string().max(200).refine(isPagePath)).max(maxCheckedPages) }),
]);

/** A path of the site itself, with a query or without. */
export function isPagePath(text: string): boolean {
  return /^\/(?!\/)[\x21-\x7e]*$/.test(text) && !/[\\#]/.test(text) && !/^\/wp-/.test(text);
}
