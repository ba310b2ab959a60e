import { type SiteRules, siteRulesSchema } from "@nido/contract";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { record } from "../activity/record.ts";
import { wordpressSites } from "../db/schema.ts";
import { idParams } from "../http/idParams.ts";
import { parseInput } from "../platform/parseInput.ts";
import { purgePages } from "./dueSites.ts";
import { findRules } from "./queries.ts";
import { requireOwnSite } from "./requireOwnSite.ts";
import type { SiteApi } from "./SiteApi.ts";

/** Every character may be sent as an escape sequence. */
const maxRulesBytes = 2 ** 20;

/** Redirects, files at the root, and pages that are not kept: what the edge does before WordPress is asked. */
export function rulesRoutes(scope: FastifyInstance, prefix: string, { wordpress, adjust }: SiteApi) {
  const { db, generations } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const path = `${prefix}/rules`;
  const config = { rateLimit: "siteCare" } as const;

  app.get(path, { config, schema: { params: idParams } }, async ({ owner, params }): Promise<SiteRules> => {
    const site = await requireOwnSite(db, owner, params.id);
    return (await findRules(db, site.id)).rules;
  });

  app.put(
    path,
    { config, bodyLimit: maxRulesBytes, schema: { params: idParams } },
    async ({ owner, params, body }): Promise<SiteRules> => {
      const rules = parseInput(siteRulesSchema, body);
      const site = await requireOwnSite(db, owner, params.id);
      await adjust(site, async (tx) => {
        await tx.update(wordpressSites).set({ rules }).where(eq(wordpressSites.projectId, site.id));
        const activity = { kind: "rulesChanged", params: { project: site.name }, projectId: site.id } as const;
        await record(tx, owner.userId, owner.actor, activity);
        await purgePages(tx, site.id);
      });
      generations.forget(site.id);
      return rules;
    },
  );
}
