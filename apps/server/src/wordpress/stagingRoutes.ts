import { hasStaging, pushedTable, pushSchema, type SiteTables, siteTablesSchema } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { record } from "../activity/record.ts";
import { idParams } from "../http/idParams.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import { askSafely } from "./askSafely.ts";
import { restoreOwnSiteJob } from "./jobs.ts";
import { removeStaging } from "./lifecycle/removeStaging.ts";
import { findStaging, type SiteRow } from "./queries.ts";
import { requestStaging } from "./requestStaging.ts";
import { requireOwnSite } from "./requireOwnSite.ts";
import type { SiteApi } from "./SiteApi.ts";
import { beginWork, requireIdle } from "./work.ts";

/** The staging copy of a WordPress site: made and renewed from it, pushed to it, and removed. */
export function stagingRoutes(scope: FastifyInstance, prefix: string, { wordpress, change, adjust }: SiteApi) {
  const { db } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const path = `${prefix}/staging`;
  const options = { config: { rateLimit: "siteCare" }, schema: { params: idParams } } as const;

  app.post(path, options, async ({ owner, params }, reply) => {
    const site = await requireOwnSite(db, owner, params.id);
    if (!hasStaging(site.recipe)) throw new AppError("error_staging_plan");
    await change(site, (tx) => requestStaging(tx, site));
    return reply.code(202).send({ ok: true });
  });

  /** Of the copy; their names and sizes alone need no proof. */
  async function findTables(site: SiteRow): Promise<SiteTables> {
    const staging = await findStaging(db, site.id);
    if (!staging?.copiedAt) throw new AppError("error_staging_not_found");
    const request = { path: "database.php", server: { NIDO_DATABASE: "{}" } };
    const { tables } = await askSafely(wordpress, staging, request, siteTablesSchema);
    return { tables: tables.filter(({ name }) => pushedTable.test(name)) };
  }

  app.get(`${path}/tables`, options, async ({ owner, params }) =>
    findTables(await requireOwnSite(db, owner, params.id)),
  );

  const pushing = { ...options, schema: { params: idParams, body: pushSchema } };
  app.post(`${path}/push`, pushing, async ({ owner, params, body: { parts, tables } }, reply) => {
    const site = await requireOwnSite(db, owner, params.id);
    if (tables) {
      const known = new Set((await findTables(site)).tables.map(({ name }) => name));
      if (!tables.every((name) => known.has(name))) throw new AppError("error_table_not_found");
    }
    await change(site, async (tx) => {
      if (!(await findStaging(tx, site.id))?.copiedAt) throw new AppError("error_staging_not_found");
      const id = await beginWork(tx, site.id, { kind: "push" });
      await enqueue(tx, restoreOwnSiteJob, { projectId: site.id, id, parts, ...(tables && { tables }) });
      const activity = { kind: "pushStarted", params: { project: site.name }, projectId: site.id } as const;
      await record(tx, owner.userId, owner.actor, activity);
    });
    return reply.code(202).send({ ok: true });
  });

  app.delete(path, options, async ({ owner, params }) => {
    const site = await requireOwnSite(db, owner, params.id);
    await adjust(site, async (tx) => {
      await requireIdle(tx, site.id);
      if (!(await removeStaging(tx, site.id))) throw new AppError("error_staging_not_found");
      const activity = { kind: "stagingRemoved", params: { project: site.name }, projectId: site.id } as const;
      await record(tx, owner.userId, owner.actor, activity);
    });
    return { ok: true };
  });
}
