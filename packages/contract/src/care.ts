import { z } from "zod";

const plugin = z.object({
  /** its main file, relative to the folder of plugins */
  id: z.string().max(300),
  name: z.string().max(300),
  version: z.string().max(100),
  is_active: z.boolean(),
  /** It was on before: its own set-up has run, so it can be switched on from here. */
  can_activate: z.boolean(),
});

/** `GET` and `PUT /api/projects/{id}/plugins` */
export const sitePluginsSchema = z.object({
  plugins: z.array(plugin).max(1000),
  /** the last fatal error, until the plugins are changed from here */
  fatal: z
    .object({
      /** in seconds since 1970 */
      at: z.number(),
      message: z.string().max(2000),
      cause: z.enum(["plugin", "theme", "other"]),
      /** the folder or file of the plugin or theme */
      name: z.string().max(300),
    })
    .optional(),
});
export type SitePlugins = z.infer<typeof sitePluginsSchema>;
export type SitePlugin = z.infer<typeof plugin>;

/** The ids of the plugins that shall be on. */
export const activePluginsSchema = z.strictObject({ active: z.array(z.string().max(300)).max(1000) });
