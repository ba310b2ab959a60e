import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import websocket from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import { webhookPath } from "../billing/sync/webhookRoute.ts";
import type { Config } from "../config/parseConfig.ts";
import { httpPortSetting } from "../config/parseConfig.ts";
import { onDemandTlsPath, onDemandTlsRoute } from "../domains/onDemandTlsRoute.ts";
import { ConnectionShares } from "../edge/ConnectionShares.ts";
import { createEdge } from "../edge/createEdge.ts";
import { noFastPath } from "../edge/fastPath/FastConnection.ts";
import { serveFastPath } from "../edge/fastPath/serveFastPath.ts";
import { createHttps } from "../edge/tls/createHttps.ts";
import { createOrigins } from "../edge/tls/createOrigins.ts";
import { createBlockList, expectProxy } from "../edge/tls/proxyProtocol.ts";
import { requireHttps } from "../edge/tls/requireHttps.ts";
import { openLoopback } from "../edge/wordpress/openLoopback.ts";
import { readIndexHtml, serveDashboard } from "../http/dashboard.ts";
import { describeError } from "../http/describeError.ts";
import { refuseForeignHost } from "../http/refuseForeignHost.ts";
import { Shutdown } from "../http/Shutdown.ts";
import { securityHeaders } from "../http/securityHeaders.ts";
import { portError, portSharing } from "../platform/requireFreePort.ts";
import { createFastify, maxBodyBytes } from "./createFastify.ts";
import { type AppOptions, createServices, type Services } from "./createServices.ts";
import { createHealthServer, healthPath, healthRoutes, readinessPath } from "./healthRoutes.ts";
import { registerRoutes } from "./registerRoutes.ts";

/** How long a draining server still answers on its open connections, while it asks visitors to open new ones. */
const drainMs = 3000;
/** Answered under any host name that is not a customer's site: health checks, the payment webhook, Caddy's requests. */
const pathsOnAnyHost = [healthPath, readinessPath, webhookPath, onDemandTlsPath];

/** Builds the Fastify application: customers' sites, the dashboard, its API and its live state. */
export async function buildApp(options: AppOptions) {
  const { config } = options;
  const app = createFastify(config);
  const services = createServices(options, app.log);
  const shutdown = new Shutdown();
  app.addHook("onRequest", shutdown.endKeepAlive);

  // Registered before our own hooks, so that the plugin recognises a WebSocket upgrade that they refuse, and
  // closes its socket.
  await app.register(websocket, {
    options: { maxPayload: maxBodyBytes },
    preClose: (done) => {
      shutdown.closeSockets(app);
      done();
    },
  });
  const { certificates } = services;
  if (certificates) app.addHook("onRequest", requireHttps({ certificates, config, pathsOnAnyHost }));
  healthRoutes(app, services, shutdown);
  // Before the dashboard's hooks: customers' sites get none of its headers.
  const sites = config.ROLES.has("edge") ? serveSites(app, config, services) : undefined;
  await protectDashboard(app, config);
  if (sites) onDemandTlsRoute(app, services.db, sites.edge.findOwner);
  if (config.ROLES.has("web")) {
    await registerRoutes(app, options, services);
    const { BRAND_NAME: brand, APP_URL: appUrl, SITES_DOMAIN: sitesDomain } = config;
    await serveDashboard(app, { brand, origin: appUrl.origin, sites_domain: sitesDomain });
  }

  app.addHook("onReady", services.live.start);
  app.addHook("onReady", async () => services.traffic?.start());
  app.addHook("onClose", async () => {
    await services.live.stop();
    await services.traffic?.stop();
    await services.wordpress.stop();
    await services.locks.stop();
    await services.db.$client.end();
    await services.essentialDb.$client.end();
  });
  const trusted = createBlockList(config.TRUSTED_PROXIES ?? []);
  const shares = new ConnectionShares(trusted);
  shares.limit(app.server);
  const proxies = config.PROXY_PROTOCOL ? trusted : undefined;
  if (proxies) expectProxy(app.server, proxies);
  shutdown.watch(app.server);
  const path = sites?.edge.fastPath ?? noFastPath;
  const https = certificates && createHttps({ app, path, certificates, proxies, shares, shutdown });
  app.addHook("preClose", () => shutdown.finishRequests(app));
  const health = createHealthServer(app);
  app.addHook("onClose", async () => void health.close());
  const listen = async () => {
    const shared = { host: config.HOST, port: config.HTTP_PORT, ...portSharing };
    await app.listen(shared).catch((error) => {
      throw portError(httpPortSetting(config), shared.port, shared.host, error);
    });
    if (config.HEALTH_PORT)
      await once(health.listen({ host: config.HOST, port: config.HEALTH_PORT, ...portSharing }), "listening").catch(
        (error) => {
          throw portError("HEALTH_PORT", config.HEALTH_PORT as number, config.HOST, error);
        },
      );
    if (config.ROLES.has("web") || config.ROLES.has("edge"))
      await https?.listen(config.HTTPS_PORT as number, config.HOST);
  };
  /** Stops while other processes serve new visitors, without failing a request. */
  const drain = async () => {
    shutdown.isDraining = true;
    sites?.fastPath.drain();
    https?.drain();
    // A load balancer still opens connections until it knows that this process is no longer ready.
    await pause(config.DRAIN_SECONDS * 1000);
    shutdown.stopListening();
    await pause(drainMs);
    await app.close();
  };
  return { app, listen, drain, ...services };
}

function serveSites(app: FastifyInstance, config: Config, services: Services) {
  const { live, wordpress, deploys, limiter, certificates } = services;
  const { SITES_DOMAIN: sitesDomain, BRAND_NAME: brand, APP_URL: appUrl } = config;
  const edge = createEdge({
    directory: live.directory,
    wordpress,
    deploys,
    limiter,
    traffic: services.traffic,
    sitesDomain,
    appUrl,
    hasOwnTls: certificates !== undefined,
    originOf: createOrigins(config, certificates),
    brand,
    processes: config.PROCESSES,
    pathsOnAnyHost,
  });
  app.addHook("onRequest", edge.serve);
  const { covers } = certificates?.contexts ?? { covers: () => true };
  const fastPath = serveFastPath(app.server, edge.fastPath, covers);
  app.addHook("preClose", async () => fastPath.close());
  if (wordpress.loopback) {
    const own = openLoopback(wordpress.loopback.ownSocket, edge.serveItself);
    app.addHook("onListen", own.listen);
    app.addHook("onClose", async () => own.close());
  }
  return { edge, fastPath };
}

async function protectDashboard(app: FastifyInstance, { APP_URL: appUrl }: Config) {
  await app.register(helmet, securityHeaders(appUrl, readIndexHtml()));
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  app.addHook("onRequest", refuseForeignHost(appUrl, pathsOnAnyHost));
  app.setErrorHandler((error, request, reply) => {
    const { key, status, detail } = describeError(error);
    if (key === "error_unknown") request.log.error({ err: error }, "request failed with an unexpected error");
    return reply.code(status).send({ error: key, detail });
  });
  await app.register(cookie);
}
