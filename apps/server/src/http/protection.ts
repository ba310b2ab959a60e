import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../platform/AppError.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A browser may come here from another site: pages, and the return from sign-in. */
    fromElsewhere?: boolean;
  }
}

/**
 * Refuses what another site makes a customer's browser send. Today's browsers send at least one of
 * the two headers with what changes something; a program that sends none carries nobody's cookies but its own.
 */
export function refuseForeignOrigin(ownOrigin: string) {
  return async (request: FastifyRequest) => {
    const { origin, "sec-fetch-site": site } = request.headers;
    const changesSomething = request.method !== "GET" && request.method !== "HEAD";
    if ((changesSomething || request.ws) && origin !== undefined && origin !== ownOrigin)
      throw new AppError("error_foreign_origin");
    if (request.routeOptions.config.fromElsewhere) return;
    if (site === "same-site" || site === "cross-site") throw new AppError("error_foreign_origin");
  };
}

/** Requests are told apart by Host: ours, another name of this machine, or none of our business. */
export function refuseForeignHost(appUrl: URL, anyHosts: string[]) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.host === appUrl.host || anyHosts.includes(request.url.split("?", 1)[0] ?? "")) return;
    const isLocalAlias = appUrl.hostname === "localhost" && /^(127\.0\.0\.1|\[::1\])(:|$)/.test(request.host);
    if (isLocalAlias && request.method === "GET" && !request.ws)
      return reply.redirect(appUrl.origin + request.url, 307);
    return reply.code(404).type("text/plain").send("There is no site here.\n");
  };
}
