import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";

export const onDemandTlsPath = "/tls/allowed";
const query = z.object({ domain: z.string().max(253) });

/**
 * Caddy's on-demand TLS "ask" endpoint: 200 if a certificate may be ordered for this host, 404 otherwise. Without it a
 * visitor could make Caddy order certificates for any name. It answers only requests that Caddy makes itself, from
 * this machine.
 */
export function onDemandTlsRoute(scope: FastifyInstance, isServed: (host: string) => Promise<boolean>) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    onDemandTlsPath,
    { schema: { querystring: query }, logLevel: "warn" },
    async ({ raw, headers, query }, reply) => {
      const isLocal = /^(::ffff:)?127\.|^::1$/.test(raw.socket.remoteAddress ?? "");
      const isAllowed =
        isLocal && headers["x-forwarded-for"] === undefined && (await isServed(query.domain.toLowerCase()));
      return reply.code(isAllowed ? 200 : 404).send({ ok: isAllowed });
    },
  );
}
