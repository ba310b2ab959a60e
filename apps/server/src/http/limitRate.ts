import type { FastifyRequest } from "fastify";
import type { RateLimitName } from "../config/rateLimits.ts";
import { clientAddress } from "./clientAddress.ts";
import type { RateLimiter } from "./RateLimiter.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The rate limit of this route, by the visitor's address. */
    rateLimit?: RateLimitName;
  }
}

/** A hook that applies the rate limit of each route that has one. */
export function limitRate(limiter: RateLimiter) {
  return async (request: FastifyRequest) => {
    const { rateLimit } = request.routeOptions.config;
    if (rateLimit) await limiter.take(rateLimit, clientAddress(request.ip));
  };
}
