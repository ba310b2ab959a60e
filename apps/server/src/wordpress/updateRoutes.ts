import { type SiteUpdates, updateSchema, updateSettingsSchema } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { record } from "../activity/record.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { askUpdates, isChosen, namesOf } from "./askUpdates.ts";
import { isOlder } from "./core/version.ts";
import { type SiteRow, updateWordPress } from "./queries.ts";
import { requestUpdate } from "./requestUpdate.ts";
import { requireOwnSite } from "./requireOwnSite.ts";
import type { SiteApi } from "./SiteApi.ts";
import { siteOf } from "./WordPress.ts";

/** The updates of WordPress, plugins and themes of a site: listed, made, and made automatic. */
export function updateRoutes(scope: FastifyInstance, prefix: string, { wordpress, change, adjust }: SiteApi) {
  const { db } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const path = `${prefix}/updates`;
  const options = { config: { rateLimit: "siteCare" }, schema: { params: idParams } } as const;

  app.get(path, options, async ({ owner, params }): Promise<SiteUpdates> => {
    const site = await requireOwnSite(db, owner, params.id);
    const newest = await findNewest(site);
    const { php, items } = await ask(site);
    const settings = { wants_majors: site.wantsMajors, checked_pages: site.checkedPages };
    return {
      version: site.core,
      ...(newest && { newest }),
      php,
      php_versions: phpVersionsOf(site),
      items,
      ...settings,
    };
  });

  const updating = { ...options, schema: { params: idParams, body: updateSchema } };
  app.post(path, updating, async ({ owner, params, body }, reply) => {
    const site = await requireOwnSite(db, owner, params.id);
    if (body.core && body.core !== (await findNewest(site))) throw new AppError("error_invalid_input");
    if (body.php && !phpVersionsOf(site).includes(body.php)) throw new AppError("error_invalid_input");
    const { items } = await ask(site);
    const chosen = items.filter((item) => isChosen(body, item));
    const isKnown = chosen.length === body.plugins.length + body.themes.length;
    if (!isKnown || !(body.core || body.php || chosen.length > 0)) throw new AppError("error_invalid_input");
    await change(site, async (tx) => {
      await requestUpdate(tx, site.id, body);
      const params = { project: site.name, items: namesOf(body, chosen) };
      await record(tx, owner.userId, owner.actor, { kind: "updateStarted", params, projectId: site.id });
    });
    return reply.code(202).send({ ok: true });
  });

  const setting = { ...options, schema: { params: idParams, body: updateSettingsSchema } };
  app.put(path, setting, async ({ owner, params, body }) => {
    const site = await requireOwnSite(db, owner, params.id);
    const project = site.name;
    const [settings, activity] =
      "wants_majors" in body
        ? ([
            { wantsMajors: body.wants_majors },
            { kind: "majorsChanged", params: { project, on: body.wants_majors } },
          ] as const)
        : ([{ checkedPages: body.checked_pages }, { kind: "checkedPagesChanged", params: { project } }] as const);
    await adjust(site, async (tx) => {
      await updateWordPress(tx, site.id, settings);
      await record(tx, owner.userId, owner.actor, { ...activity, projectId: site.id });
    });
    return { ok: true };
  });

  async function findNewest(site: SiteRow): Promise<string | undefined> {
    const { version } = await wordpress.runtimeOf(site).cores.current();
    return isOlder(site.core, version) ? version : undefined;
  }

  function phpVersionsOf(site: SiteRow): string[] {
    const { phpVersions } = wordpress.runtimeOf(site);
    return phpVersions.length > 1 ? phpVersions.toSorted() : [];
  }

  async function ask(site: SiteRow) {
    try {
      return await askUpdates(wordpress, siteOf(wordpress, site));
    } catch (error) {
      wordpress.log.warn({ err: error, project: site.id }, "could not list a site's updates");
      throw new AppError("error_wordpress_silent");
    }
  }
}
