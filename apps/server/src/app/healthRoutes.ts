import { createServer, type Server } from "node:http";
import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { Shutdown } from "../http/Shutdown.ts";
import type { Services } from "./createServices.ts";

/** Whether the process can serve. */
export const healthPath = "/healthz";
/** Whether a load balancer should send it new visitors: not until its caches get notifications, nor while it drains. */
export const readinessPath = "/readyz";

/** Answers health checks on a port of their own, where they need not send the PROXY protocol's header. */
export function createHealthServer(app: FastifyInstance): Server {
  const paths = new Set<string | undefined>([healthPath, readinessPath]);
  return createServer((request, response) => {
    if (paths.has(request.url)) app.routing(request, response);
    else response.writeHead(404).end();
  });
}

export function healthRoutes(app: FastifyInstance, { essentialDb, live }: Services, shutdown: Shutdown) {
  const canServe = () =>
    essentialDb.execute(sql`select 1`).then(
      () => true,
      () => false,
    );
  const checks = {
    [healthPath]: canServe,
    [readinessPath]: async () => !shutdown.isDraining && live.isListening() && (await canServe()),
  };
  for (const [path, check] of Object.entries(checks))
    app.get(path, { logLevel: "warn" }, async (_request, reply) => {
      const ok = await check();
      return reply.code(ok ? 200 : 503).send({ ok });
    });
}
