import type { FastifyRequest } from "fastify";
import { AppError } from "../platform/AppError.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A browser may request this route from another site: pages, and the return from sign-in or checkout. */
    allowCrossSite?: boolean;
  }
}

/**
 * CSRF protection. Browsers send Origin or Sec-Fetch-Site with every request that changes something. A client that
 * sends neither is not a browser, so no other site can make it send a customer's cookie.
 */
export function refuseForeignOrigin(ownOrigin: string) {
  return async (request: FastifyRequest) => {
    const { origin, "sec-fetch-site": site } = request.headers;
    const changesState = request.method !== "GET" && request.method !== "HEAD";
    if ((changesState || request.ws) && origin !== undefined && origin !== ownOrigin)
      throw new AppError("error_foreign_origin");
    if (request.routeOptions.config.allowCrossSite) return;
    if (site === "same-site" || site === "cross-site") throw new AppError("error_foreign_origin");
  };
}
