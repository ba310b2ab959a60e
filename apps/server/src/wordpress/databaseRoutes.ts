import {
  databaseQuerySchema,
  maxQueryRows,
  type QueryResult,
  queryResultSchema,
  rowsPerPage,
  type SiteTables,
  siteTablesSchema,
  tableQuerySchema,
} from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { z } from "zod";
import { record } from "../activity/record.ts";
import { requireRecentProof } from "../auth/proofs.ts";
import { idParams } from "../http/idParams.ts";
import { askSafely } from "./askSafely.ts";
import { purgePages } from "./dueSites.ts";
import type { SiteRow } from "./queries.ts";
import { requireOwnSite } from "./requireOwnSite.ts";
import type { SiteApi } from "./SiteApi.ts";
import { requireIdle } from "./work.ts";

const reading = /^[\s(]*(select|show|describe|desc|explain)\b/i;

/** A site's database, for those who know SQL. It contains what visitors entrusted to the site, so it needs a recent proof. */
export function databaseRoutes(scope: FastifyInstance, prefix: string, { wordpress, adjust }: SiteApi) {
  const { db } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const path = `${prefix}/database`;
  const config = { rateLimit: "siteCare" } as const;

  function ask<Answer>(site: SiteRow, request: object, schema: z.ZodType<Answer>) {
    const server = { NIDO_DATABASE: JSON.stringify(request) };
    return askSafely(wordpress, site, { path: "database.php", server }, schema);
  }

  app.get(path, { config, schema: { params: idParams } }, async ({ session, owner, params }): Promise<SiteTables> => {
    requireRecentProof(session);
    return ask(await requireOwnSite(db, owner, params.id), {}, siteTablesSchema);
  });

  const rows = { config, schema: { params: idParams, querystring: tableQuerySchema } };
  app.get(`${path}/rows`, rows, async ({ session, owner, params, query }): Promise<QueryResult> => {
    requireRecentProof(session);
    const site = await requireOwnSite(db, owner, params.id);
    return ask(site, { ...query, limit: rowsPerPage }, queryResultSchema);
  });

  const querying = { config, schema: { params: idParams, body: databaseQuerySchema } };
  app.post(`${path}/query`, querying, async ({ session, owner, params, body }): Promise<QueryResult> => {
    requireRecentProof(session);
    const site = await requireOwnSite(db, owner, params.id);
    const query = { ...body, limit: maxQueryRows };
    if (reading.test(body.sql)) return ask(site, query, queryResultSchema);
    await adjust(site, async (tx) => {
      await requireIdle(tx, site.id);
      const activity = { kind: "databaseChanged", params: { project: site.name }, projectId: site.id } as const;
      await record(tx, owner.userId, owner.actor, activity);
    });
    try {
      return await ask(site, query, queryResultSchema);
    } finally {
      // It may have changed something even if it did not answer.
      await purgePages(db, site.id);
      wordpress.generations.forget(site.id);
    }
  });
}
