import { randomUUID } from "node:crypto";
import fastify, { type FastifyReply } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import type { Config } from "../config/parseConfig.ts";
import { sendMissing } from "../edge/sendMissing.ts";
import { createCookies } from "../http/cookies.ts";
import { describeForLog } from "../http/describeForLog.ts";

export const maxBodyBytes = 64 * 1024;

/** The HTTP server before it has any routes: limits, logging and validation. */
export function createFastify(config: Config) {
  const app = fastify({
    bodyLimit: maxBodyBytes,
    // The ids of passkeys have up to 1023 bytes.
    routerOptions: { maxParamLength: 2000 },
    trustProxy: config.TRUSTED_PROXIES ?? false,
    genReqId: () => randomUUID(),
    // Enough for slow uploads: to customers' sites, and of deploys. The dashboard's own requests are small.
    requestTimeout: 30 * 60_000,
    forceCloseConnections: "idle",
    // Requests on open connections are still answered while the server stops.
    return503OnClosing: false,
    // A malformed URL never reaches the error handler, nor the hook that serves customers' sites.
    frameworkErrors: (_error, request, reply) => {
      if (request.host === config.APP_URL.host)
        return void (reply as FastifyReply).code(400).send({ error: "error_invalid_input" });
      reply.hijack();
      sendMissing(request.raw, reply.raw, { status: 400 });
    },
    logger: {
      level: config.LOG_LEVEL,
      serializers: {
        // Without the query string: it may contain codes and tokens.
        req: ({ method, url, ip }) => ({ method, url: url.split("?")[0], ip }),
        err: describeForLog,
      },
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser("text/plain");
  app.decorate("cookies", createCookies(config.APP_URL));
  return app;
}
