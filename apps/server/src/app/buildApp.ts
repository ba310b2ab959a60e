import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import rateLimit from "@fastify/rate-limit";
import websocket from "@fastify/websocket";
import type { PublicSettings } from "@nido/contract";
import { sql } from "drizzle-orm";
import fastify, { type FastifyReply } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { type Cookies, createCookies } from "../auth/cookie.ts";
import { Google, type GoogleClient } from "../auth/Google.ts";
import { authRoutes } from "../auth/routes.ts";
import { createBilling, type StripeAccess } from "../billing/Billing.ts";
import { nameRoutes } from "../billing/checkout/nameRoute.ts";
import { billingRoutes } from "../billing/routes.ts";
import { webhookPath, webhookRoute } from "../billing/sync/webhookRoute.ts";
import { toolLoginRoutes } from "../cli/login.ts";
import { cliPackageRoute } from "../cli/package.ts";
import { toolRoutes } from "../cli/routes.ts";
import type { Config } from "../config.ts";
import { connect } from "../db/connect.ts";
import { createReleases } from "../deploys/Deploys.ts";
import { Dns } from "../domains/Dns.ts";
import { tlsPath, tlsRoute } from "../domains/onDemandTlsRoute.ts";
import { createEdge } from "../edge/createEdge.ts";
import { answerHotPages } from "../edge/fastPath/serveFastPath.ts";
import { clientAddress } from "../http/clientAddress.ts";
import { closeSockets } from "../http/closeSockets.ts";
import { readIndexHtml, serveDashboard } from "../http/dashboard.ts";
import { describeError } from "../http/describeError.ts";
import { describeForLog } from "../http/describeForLog.ts";
import { refuseForeignHost, refuseForeignOrigin } from "../http/protection.ts";
import { securityHeaders } from "../http/securityHeaders.ts";
import { referralRoutes } from "../referrals/routes.ts";
import { createLive } from "../remote/createLive.ts";
import { remoteRoutes } from "../remote/routes.ts";
import { taskRoutes } from "../tasks/routes.ts";
import { wordpressRoutes } from "../wordpress/ssoRoute.ts";
import { createWordPress } from "../wordpress/WordPress.ts";

declare module "fastify" {
  interface FastifyInstance {
    cookies: Cookies;
  }
}

const bodyLimit = 64 * 1024;

export interface AppOptions {
  config: Config;
  databaseUrl: string;
  /** undefined: the button is hidden */
  google: GoogleClient | undefined;
  stripe: StripeAccess;
}

/** The web process: dashboard, API and live state, on one database. */
export async function buildApp({ config, databaseUrl, google, stripe }: AppOptions) {
  const { APP_URL: appUrl } = config;
  const app = fastify({
    bodyLimit,
    trustProxy: config.TRUSTED_PROXIES ?? false,
    genReqId: () => randomUUID(),
    // An upload to a site, or of a site, may take its time; the dashboard's own bodies are small.
    requestTimeout: 30 * 60_000,
    forceCloseConnections: "idle",
    // An address that cannot be read never reaches the error handler.
    frameworkErrors: (_error, _request, reply) => {
      (reply as FastifyReply).code(400).send({ error: "error_invalid_input" });
    },
    logger: {
      level: config.LOG_LEVEL,
      serializers: {
        // Without the query: it may carry codes and tokens.
        req: ({ method, url, ip }) => ({ method, url: url.split("?")[0], ip }),
        err: describeForLog,
      },
    },
  });
  const db = connect(databaseUrl, (error) => app.log.warn({ err: error }, "a database connection broke"));
  const sites = {
    scheme: appUrl.protocol,
    domain: config.SITES_DOMAIN,
    appHost: appUrl.hostname,
    addresses: config.SITES_ADDRESSES,
  };
  const billing = createBilling(db, stripe, config, app.log);
  const live = createLive(db, databaseUrl, sites, app.log);
  const wordpress = createWordPress(db, config, app.log);
  const releases = createReleases(db, config, sites);
  const domains = { db, dns: new Dns(config.DNS_SERVERS), sites };

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser("text/plain");
  app.decorate("cookies", createCookies(appUrl));

  // Before our own hooks: a refused upgrade must be known as one to be closed.
  await app.register(websocket, { options: { maxPayload: bodyLimit }, preClose: closeSockets });
  // Before the dashboard's own headers: a customer's site has nothing of it.
  const { SITES_DOMAIN: sitesDomain, BRAND_NAME: brand } = config;
  const anyHosts = ["/healthz", webhookPath, tlsPath];
  const edge = createEdge({ directory: live.directory, wordpress, releases, sitesDomain, appUrl, brand, anyHosts });
  app.addHook("onRequest", edge.serve);
  const hot = answerHotPages(app.server, edge.findHotPage);
  await app.register(helmet, securityHeaders(appUrl, readIndexHtml()));
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  app.addHook("onRequest", refuseForeignHost(appUrl, anyHosts));
  app.setErrorHandler((error, request, reply) => {
    const { key, status, detail } = describeError(error);
    if (key === "error_unknown") request.log.error({ err: error }, "a request failed");
    return reply.code(status).send({ error: key, detail });
  });

  await app.register(cookie);
  await app.register(rateLimit, { global: false, keyGenerator: clientAddress });

  app.get("/healthz", { logLevel: "warn" }, async (_request, reply) => {
    const canServe = await db.execute(sql`select 1`).then(
      () => true,
      () => false,
    );
    return reply.code(canServe ? 200 : 503).send({ ok: canServe });
  });

  await app.register((hooks) => webhookRoute(hooks, billing));
  tlsRoute(app, edge.isServed);
  await app.register(async (api) => {
    api.addHook("preValidation", refuseForeignOrigin(appUrl.origin));
    remoteRoutes(api, live);
    nameRoutes(api, db, live.sessions);
    billingRoutes(api, billing, live.sessions);
    referralRoutes(api, db, live.sessions, config);
    taskRoutes(api, db, live.sessions);
    wordpressRoutes(api, domains, live.sessions);
    cliPackageRoute(api, appUrl);
    toolLoginRoutes(api, db, live.sessions, appUrl);
    await api.register(toolRoutes, { releases, states: live.states, forget: live.forget });
    await api.register(authRoutes, { db, appUrl, google: google && new Google(google, appUrl), forget: live.forget });

    const settings: PublicSettings = {
      brand: config.BRAND_NAME,
      support_email: config.SUPPORT_EMAIL,
      terms_url: config.TERMS_URL,
      privacy_url: config.PRIVACY_URL,
      blog_url: config.BLOG_URL,
      referral_urls: { es: config.REFERRAL_URL_ES, en: config.REFERRAL_URL_EN },
      sites_domain: config.SITES_DOMAIN,
      google: google !== undefined,
    };
    api.get("/api/settings", { config: { fromElsewhere: true } }, async () => settings);
  });
  await serveDashboard(app);

  app.addHook("onReady", live.start);
  app.addHook("preClose", async () => hot.close());
  app.addHook("onClose", async () => {
    await live.stop();
    await wordpress.stop();
    await db.$client.end();
  });
  return { app, db, live, billing, wordpress, releases, domains };
}
