import type { FastifyRequest } from "fastify";
import { abortRequest } from "./abortRequest.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The body may take long to arrive: uploads. */
    isUpload?: boolean;
  }
}

const timeout = 20_000;

/** A hook that ends requests whose body does not arrive in time. The dashboard sends 64 kB at most. */
export async function limitBodyTime(request: FastifyRequest) {
  const { raw, routeOptions } = request;
  if (raw.complete || routeOptions.config.isUpload) return;
  const timer = setTimeout(() => abortRequest(raw), timeout);
  for (const event of ["end", "close"]) raw.once(event, () => clearTimeout(timer));
}
