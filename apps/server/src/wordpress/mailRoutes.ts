import type { SiteMail } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { findUser } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { rateLimits } from "../config/rateLimits.ts";
import { announceChange } from "../db/announceChange.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { requestMail } from "./dueSites.ts";
import { findMessages } from "./mailLog.ts";
import { requestSite } from "./requestSite.ts";
import { requireOwnSite } from "./requireOwnSite.ts";
import type { SiteApi } from "./SiteApi.ts";
import { mailQuota } from "./upkeep/sendMail.ts";
import { siteOf } from "./WordPress.ts";

/** The mail that a site sends: what became of it, and a test message to its owner. */
export function mailRoutes(scope: FastifyInstance, prefix: string, { wordpress, limiter }: SiteApi) {
  const { db, log } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const path = `${prefix}/mail`;
  const options = { config: { rateLimit: "siteCare" }, schema: { params: idParams } } as const;

  app.get(path, options, async ({ owner, params }): Promise<SiteMail> => {
    const site = await requireOwnSite(db, owner, params.id);
    const quota = mailQuota(site.recipe);
    const messages = await findMessages(db, site.id);
    return {
      messages: messages.map(({ id, at, recipients, subject, status, problem }) => {
        return { id, at: at.toISOString(), recipients, subject, status, ...(problem && { problem }) };
      }),
      used: await limiter.countOf(quota, site.id),
      allowed: rateLimits[quota].max,
      is_suspended: site.mailSuspendedAt !== null,
    };
  });

  app.post(path, options, async ({ owner, params }, reply) => {
    const site = await requireOwnSite(db, owner, params.id);
    await limiter.take("testMail", site.id);
    const user = await findUser(db, owner.userId);
    const server = { NIDO_TO: user?.email ?? "" };
    const request = { url: "/", script: { in: "nido", path: "test-mail.php" }, server, isOwn: false } as const;
    const answer = await requestSite(wordpress, siteOf(wordpress, site), request).catch((error) => {
      log.warn({ err: error, project: site.id }, "a site could not send a test message");
      return "failed";
    });
    if (answer !== "sent") throw new AppError("error_wordpress_silent");
    await requestMail(db, site.id);
    await db.transactionOf(owner.userId, async (tx) => {
      const activity = { kind: "testMailSent", params: { project: site.name }, projectId: site.id } as const;
      await record(tx, owner.userId, owner.actor, activity);
      await announceChange(tx, owner.userId);
    });
    return reply.code(202).send({ ok: true });
  });
}
