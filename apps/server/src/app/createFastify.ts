import { randomUUID } from "node:crypto";
import fastify, { type FastifyReply, type FastifyRequest, type RawRequestDefaultExpression } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import type { Config } from "../config/parseConfig.ts";
import { sendMissing } from "../edge/sendMissing.ts";
import { createCookies } from "../http/cookies.ts";
import { describeForLog } from "../http/describeForLog.ts";
import { limitUnread } from "../http/limitUnread.ts";

export const maxBodyBytes = 64 * 1024;

/** The HTTP server before it has any routes: limits, logging and validation. */
export function createFastify(config: Config) {
  const app = fastify({
    bodyLimit: maxBodyBytes,
    // The ids of passkeys have up to 1023 bytes.
    routerOptions: { maxParamLength: 2000 },
    trustProxy: config.TRUSTED_PROXIES ?? false,
    rewriteUrl: toOriginForm,
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
  app.addHook("onRequest", refuseUnknownVersion);
  app.addHook("onRequest", limitUnread);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser("text/plain");
  app.decorate("cookies", createCookies(config.APP_URL));
  return app;
}

/** An absolute target (`GET http://host/path`) names the host, whatever the Host header says (RFC 9112, 3.2.2). */
function toOriginForm({ url = "/", headers }: RawRequestDefaultExpression): string {
  const [, host, path = "/"] = /^https?:\/\/([^/?#@]+)(?=[/?#]|$)(.*)$/i.exec(url) ?? [];
  if (host === undefined) return url;
  headers.host = host;
  return path.startsWith("/") ? path : `/${path}`;
}

/** Node's parser also accepts "HTTP/2.0" in the request line of HTTP/1.1, which would pass for an HTTP/2 stream. */
async function refuseUnknownVersion({ raw }: FastifyRequest, reply: FastifyReply) {
  if (raw.httpVersionMajor !== 1 && !("stream" in raw))
    return reply.code(505).header("connection", "close").type("text/plain").send("505 HTTP Version Not Supported\n");
}
