import { z } from "zod";

const plugin = z.object({
  /** its main file, relative to the folder of plugins */
  id: z.string().max(300),
  name: z.string().max(300),
  version: z.string().max(100),
  is_active: z.boolean(),
  /** It is updated every night, if there is something new. */
  is_automatic: z.boolean(),
  /** It was on before: its own set-up has run, so it can be switched on from here. */
  can_activate: z.boolean(),
});

/** `GET` and `PUT /api/projects/{id}/plugins` */
export const sitePluginsSchema = z.object({
  plugins: z.array(plugin).max(1000),
  /** the last fatal error of the last seven days, until the plugins are switched from here */
  fatal: z
    .object({
      /** in seconds since 1970 */
      at: z.int().min(0).max(4_000_000_000),
      message: z.string().max(2000),
      cause: z.enum(["plugin", "theme", "other"]),
      /** the folder or file of the plugin or theme */
      name: z.string().max(300),
    })
    .optional()
    .catch(undefined),
});
export type SitePlugins = z.infer<typeof sitePluginsSchema>;
export type SitePlugin = z.infer<typeof plugin>;

const ids = z.array(z.string().max(300)).max(200);
/** The ids of the plugins that are switched. */
export const pluginSwitchSchema = z.strictObject({
  on: ids,
  off: ids,
  /** the same for automatic updates */
  automatic_on: ids.default([]),
  automatic_off: ids.default([]),
});
export type PluginSwitch = z.infer<typeof pluginSwitchSchema>;

const seconds = z.int().min(0).max(4_000_000_000);

/** `GET` and `PUT /api/projects/{id}/care` */
export const siteCareSchema = z.object({
  /** PHP's errors of the last days, the latest first; the same one counts */
  errors: z.array(z.object({ at: seconds, count: z.int().min(1), message: z.string().max(1000) })).max(50),
  /** requests of the last days for which PHP took more than two seconds, the latest first */
  slow: z
    .array(
      z.object({
        at: seconds,
        seconds: z.number().min(0).max(1000),
        /** the method and the path */
        path: z.string().max(300),
        /** of the database */
        queries: z.int().min(0),
      }),
    )
    .max(50),
  /** what WP-Cron does next */
  cron: z.array(z.object({ at: seconds, hook: z.string().max(200), every: z.int().min(0) })).max(50),
  /** Visitors see that the site is being worked on. */
  is_maintained: z.boolean(),
  /** Search engines may list the site. */
  is_listed: z.boolean(),
  /** until when WordPress's debug log is on, in seconds since 1970; 0: it is off */
  debugged_until: seconds.default(0),
});
export type SiteCare = z.infer<typeof siteCareSchema>;

export const careChangeSchema = z.strictObject({
  is_maintained: z.boolean().optional(),
  is_listed: z.boolean().optional(),
  /** for a day */
  is_debugged: z.boolean().optional(),
});
export type CareChange = z.infer<typeof careChangeSchema>;
