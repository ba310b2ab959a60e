import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Db } from "../db/connect.ts";
import { grantCertificate } from "./grantCertificate.ts";

export const onDemandTlsPath = "/tls/allowed";
const query = z.object({ domain: z.string().max(253) });

/** Who answers at a host: the dashboard, the site of a customer, or nobody. */
export type HostOwner = "dashboard" | { userId: string } | undefined;

/**
 * Caddy's on-demand TLS "ask" endpoint: 200 if a certificate may be ordered for this host, 404 otherwise. Without it a
 * visitor could make Caddy order certificates for any name. It answers only requests that Caddy makes itself, from
 * this machine.
 */
export function onDemandTlsRoute(scope: FastifyInstance, db: Db, findOwner: (host: string) => Promise<HostOwner>) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    onDemandTlsPath,
    { schema: { querystring: query }, logLevel: "warn" },
    async ({ raw, headers, query }, reply) => {
      const isLocal = /^(::ffff:)?127\.|^::1$/.test(raw.socket.remoteAddress ?? "");
      const isAllowed =
        isLocal && headers["x-forwarded-for"] === undefined && (await mayOrder(query.domain.toLowerCase()));
      return reply.code(isAllowed ? 200 : 404).send({ ok: isAllowed });
    },
  );

  async function mayOrder(host: string): Promise<boolean> {
    const owner = await findOwner(host);
    return owner === "dashboard" || (owner !== undefined && grantCertificate(db, owner.userId, host));
  }
}
