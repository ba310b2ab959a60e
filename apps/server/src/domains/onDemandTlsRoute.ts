import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";

export const tlsPath = "/tls/allowed";
const query = z.object({ domain: z.string().max(253) });

/**
 * Whether a certificate may be ordered for a name: what stands in front asks before it does, so that nobody can make
 * it order certificates for names that are not served here. It is asked on this machine only, and not for a visitor.
 */
export function tlsRoute(scope: FastifyInstance, isServed: (host: string) => Promise<boolean>) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(tlsPath, { schema: { querystring: query }, logLevel: "warn" }, async ({ raw, headers, query }, reply) => {
    const isNeighbour = /^(::ffff:)?127\.|^::1$/.test(raw.socket.remoteAddress ?? "");
    const isAllowed =
      isNeighbour && headers["x-forwarded-for"] === undefined && (await isServed(query.domain.toLowerCase()));
    return reply.code(isAllowed ? 200 : 404).send({ ok: isAllowed });
  });
}
