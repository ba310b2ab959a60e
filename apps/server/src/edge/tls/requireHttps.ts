import type { TLSSocket } from "node:tls";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Certificates } from "../../certificates/createCertificates.ts";
import type { Config } from "../../config/parseConfig.ts";

interface Options {
  certificates: Certificates;
  config: Pick<Config, "HTTPS_PORT">;
  /** paths that are answered over plain HTTP under any host name, such as health checks */
  pathsOnAnyHost: string[];
}

/**
 * Redirects plain HTTP to HTTPS for hosts that have a certificate. Others are served over HTTP until they have one, so
 * that no site is unreachable meanwhile. Over HTTPS, answers 421 for a host that the connection's certificate does not
 * cover; HTTP/2 streams were checked before.
 */
export function requireHttps({ certificates: { contexts, challenges }, config, pathsOnAnyHost }: Options) {
  const port = config.HTTPS_PORT === 443 ? "" : `:${config.HTTPS_PORT}`;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.raw.httpVersionMajor === 2) return;
    const { encrypted, servername } = request.raw.socket as Partial<TLSSocket>;
    if (encrypted) {
      if (contexts.covers(servername || false, request.host)) return;
      return reply.code(421).type("text/plain").send("421 Misdirected Request\n");
    }
    const proof = await challenges.find(request.hostname, request.url);
    if (proof) return reply.type("text/plain").send(proof);
    const isAnswered = request.protocol === "https" || pathsOnAnyHost.includes(request.url.split("?", 1)[0] ?? "");
    // If it cannot be found out, the site is served as if it had none.
    if (isAnswered || !(await contexts.has(request.hostname).catch(() => false))) return;
    // The request target may also be `*`, or malformed.
    const path = request.url.startsWith("/") ? request.url : "/";
    return reply.header("cache-control", "no-store").redirect(`https://${request.hostname}${port}${path}`, 308);
  };
}
