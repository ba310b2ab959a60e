import {
  type CareChange,
  careChangeSchema,
  type PluginSwitch,
  pluginSwitchSchema,
  resetUsersSchema,
  type SiteCare,
  type SitePlugins,
  type SiteUsers,
  siteCareSchema,
  sitePluginsSchema,
  siteUsersSchema,
} from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { type Activity, record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Tx } from "../db/connect.ts";
import { idParams } from "../http/idParams.ts";
import { askSafely } from "./askSafely.ts";
import { purgePages } from "./dueSites.ts";
import { type SiteRow, updateWordPress } from "./queries.ts";
import { requireOwnSite } from "./requireOwnSite.ts";
import type { SiteApi } from "./SiteApi.ts";
import type { SiteOwner } from "./SiteOwner.ts";
import type { WordPress } from "./WordPress.ts";

/** What an owner does about their WordPress from the dashboard, also while it is broken. */
export function careRoutes(scope: FastifyInstance, prefix: string, { wordpress }: SiteApi) {
  const { db } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const config = { rateLimit: "siteCare" } as const;
  const options = { schema: { params: idParams }, config };

  app.get(`${prefix}/plugins`, options, async ({ owner, params }) =>
    askPlugins(wordpress, await requireOwnSite(db, owner, params.id)),
  );

  const changing = { ...options, schema: { params: idParams, body: pluginSwitchSchema } };
  app.put(`${prefix}/plugins`, changing, async ({ owner, params, body }) => {
    const site = await requireOwnSite(db, owner, params.id);
    const before = await askPlugins(wordpress, site);
    const after = await askPlugins(wordpress, site, body);
    for (const activity of changesOf(site, before, after)) await save(owner, activity);
    return after;
  });

  app.get(`${prefix}/care`, options, async ({ owner, params }) =>
    askCare(wordpress, await requireOwnSite(db, owner, params.id)),
  );

  const caring = { ...options, schema: { params: idParams, body: careChangeSchema } };
  app.put(`${prefix}/care`, caring, async ({ owner, params, body }) => {
    const site = await requireOwnSite(db, owner, params.id);
    const isMaintained = body.is_maintained ?? site.isMaintained;
    const after = await askCare(wordpress, { ...site, isMaintained }, body);
    const entryOf = (kind: "maintenanceChanged" | "listingChanged" | "debugChanged", on: boolean): Activity => {
      return { kind, params: { project: site.name, on }, projectId: site.id };
    };
    if (body.is_maintained !== undefined)
      await save(owner, entryOf("maintenanceChanged", isMaintained), (tx) =>
        updateWordPress(tx, site.id, { isMaintained }),
      );
    if (body.is_listed !== undefined) await save(owner, entryOf("listingChanged", after.is_listed));
    if (body.is_debugged !== undefined) await save(owner, entryOf("debugChanged", after.debugged_until > 0));
    return after;
  });

  app.get(`${prefix}/users`, options, async ({ owner, params }) =>
    askUsers(wordpress, await requireOwnSite(db, owner, params.id)),
  );

  const resetting = { ...options, schema: { params: idParams, body: resetUsersSchema } };
  app.post(`${prefix}/users`, resetting, async ({ owner, params, body: { reset } }) => {
    const site = await requireOwnSite(db, owner, params.id);
    const after = await askUsers(wordpress, site, reset);
    const logins = after.users.filter(({ id }) => reset.includes(id)).map(({ login }) => login);
    const users = logins.join(", ").slice(0, maxNamesLength);
    if (users) await save(owner, { kind: "usersReset", params: { project: site.name, users }, projectId: site.id });
    return after;
  });

  app.post(`${prefix}/purge`, options, async ({ owner, params }) => {
    const site = await requireOwnSite(db, owner, params.id);
    await purgePages(db, site.id);
    wordpress.generations.forget(site.id);
    await save(owner, { kind: "pagesPurged", params: { project: site.name }, projectId: site.id });
    return {};
  });

  async function save({ userId, actor }: SiteOwner, activity: Activity, change?: (tx: Tx) => Promise<void>) {
    await db.transactionOf(userId, async (tx) => {
      await change?.(tx);
      await record(tx, userId, actor, activity);
      await announceChange(tx, userId);
    });
  }
}

/** Switches some of a site's plugins, if any are given, and lists all. */
function askPlugins(wordpress: WordPress, row: SiteRow, switched?: PluginSwitch): Promise<SitePlugins> {
  const server: Record<string, string> = switched ? { NIDO_PLUGINS: JSON.stringify(switched) } : {};
  return askSafely(wordpress, row, { path: "plugins.php", server }, sitePluginsSchema);
}

async function askCare(wordpress: WordPress, row: SiteRow, change?: CareChange): Promise<SiteCare> {
  const server: Record<string, string> = change ? { NIDO_CARE: JSON.stringify(change) } : {};
  const told = await askSafely(wordpress, row, { path: "care.php", server }, toldSchema);
  return { ...told, is_maintained: row.isMaintained };
}

/** What the site itself knows. */
const toldSchema = siteCareSchema.omit({ is_maintained: true });

/** Resets some of those who can change something, if any are given, and lists all. */
function askUsers(wordpress: WordPress, row: SiteRow, reset: number[] = []): Promise<SiteUsers> {
  const server = { NIDO_RESET: JSON.stringify(reset) };
  return askSafely(wordpress, row, { path: "users.php", server }, siteUsersSchema);
}

const pluginChanges = [
  ["is_active", true, "pluginsOn"],
  ["is_active", false, "pluginsOff"],
  ["is_automatic", true, "pluginsAutomatic"],
  ["is_automatic", false, "pluginsManual"],
] as const;

function changesOf({ id, name }: SiteRow, before: SitePlugins, after: SitePlugins): Activity[] {
  const old = new Map(before.plugins.map((plugin) => [plugin.id, plugin]));
  return pluginChanges.flatMap(([what, isOn, kind]): Activity[] => {
    const changed = after.plugins.filter((now) => now[what] === isOn && (old.get(now.id)?.[what] ?? false) !== isOn);
    if (changed.length === 0) return [];
    const names = changed.map((plugin) => plugin.name).join(", ");
    return [{ kind, params: { project: name, plugins: names.slice(0, maxNamesLength) }, projectId: id }];
  });
}

const maxNamesLength = 300;
