import type { PublicSettings, SftpAddress } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import { accountRoutes } from "../auth/accountRoutes.ts";
import { Google } from "../auth/Google.ts";
import { proofRoutes } from "../auth/proofRoutes.ts";
import { authRoutes } from "../auth/routes.ts";
import { secondFactorRoutes } from "../auth/secondFactorRoutes.ts";
import { securityRoutes } from "../auth/securityRoutes.ts";
import { nameAvailabilityRoute } from "../billing/checkout/nameAvailabilityRoute.ts";
import { promotionRoute } from "../billing/checkout/promotionRoute.ts";
import { planRoutes } from "../billing/plans/planRoutes.ts";
import { billingRoutes } from "../billing/routes.ts";
import { webhookRoute } from "../billing/sync/webhookRoute.ts";
import { cliLoginRoutes } from "../cli/login.ts";
import { cliPackageRoute, createCliPackage } from "../cli/package.ts";
import { publishRoutes } from "../cli/publishRoutes.ts";
import { cliRoutes } from "../cli/routes.ts";
import { cliSecurityRoutes } from "../cli/securityRoutes.ts";
import type { Config } from "../config/parseConfig.ts";
import { PlanSlots } from "../deploys/plan/PlanSlots.ts";
import { limitBodyTime } from "../http/limitBodyTime.ts";
import { limitRate } from "../http/limitRate.ts";
import { refuseForeignOrigin } from "../http/refuseForeignOrigin.ts";
import { leavingRoutes } from "../leaving/routes.ts";
import { bounceRoute } from "../mail/bounceRoute.ts";
import { unsubscribeRoutes } from "../mail/routes.ts";
import { pictureRoute } from "../pictures/route.ts";
import { referralRoutes } from "../referrals/routes.ts";
import { activityRoute } from "../remote/activityRoute.ts";
import { remoteRoutes } from "../remote/routes.ts";
import { taskRoutes } from "../tasks/routes.ts";
import { trafficRoute } from "../traffic/route.ts";
import { backupDownloads } from "../wordpress/backupRoutes.ts";
import { databaseRoutes } from "../wordpress/databaseRoutes.ts";
import { whyNoSftp } from "../wordpress/native/sftpCommand.ts";
import { createSiteApi } from "../wordpress/SiteApi.ts";
import { ownerBySession } from "../wordpress/SiteOwner.ts";
import { accessRoutes } from "../wordpress/sftp/accessRoutes.ts";
import { fingerprintOf, publicPartOf, readHostKey } from "../wordpress/sftp/hostKey.ts";
import { siteRoutes } from "../wordpress/siteRoutes.ts";
import { ssoRoute } from "../wordpress/ssoRoute.ts";
import type { AppOptions, Services } from "./createServices.ts";
import { readNews } from "./readNews.ts";

/** Every route of the dashboard's own host. */
export async function registerRoutes(app: FastifyInstance, { config, google }: AppOptions, services: Services) {
  const { db, live, accounts, billing, deploys, domains, limiter } = services;
  const { sessions, states, forget } = live;
  const { APP_URL: appUrl } = config;
  const news = await readNews(config.NEWS_FILE);

  await app.register((scope) => webhookRoute(scope, billing));
  await app.register(async (scope) => {
    bounceRoute(scope, services.mail);
  });
  await app.register(async (scope) => {
    scope.addHook("onRequest", limitRate(limiter));
    await unsubscribeRoutes(scope, services.mail, forget);
  });
  await app.register(async (api) => {
    api.addHook("onRequest", limitBodyTime);
    api.addHook("onRequest", limitRate(limiter));
    api.addHook("preValidation", refuseForeignOrigin(appUrl.origin));
    remoteRoutes(api, live);
    nameAvailabilityRoute(api, db, sessions);
    promotionRoute(api, billing, sessions);
    billingRoutes(api, billing, sessions);
    planRoutes(api, billing, sessions);
    referralRoutes(api, { db, sessions, config, box: accounts.box });
    taskRoutes(api, db, sessions);
    activityRoute(api, db, sessions);
    trafficRoute(api, db, sessions);
    pictureRoute(api, db, sessions);
    ssoRoute(api, domains, sessions);
    const siteApi = createSiteApi(services.wordpress, limiter, services.locks, forget);
    await api.register(async (scope) => {
      scope.addHook("preValidation", ownerBySession(sessions));
      siteRoutes(scope, "/api/projects/:id", siteApi);
      backupDownloads(scope, "/api/projects/:id", siteApi);
      databaseRoutes(scope, "/api/projects/:id", siteApi);
      accessRoutes(scope, "/api/projects/:id", siteApi, sftpAddress(config));
    });
    const findPackage = createCliPackage(appUrl);
    cliPackageRoute(api, findPackage);
    cliLoginRoutes(api, db, sessions, appUrl);
    const publishing = { deploys, limiter, slots: new PlanSlots(), forget };
    await api.register(cliRoutes, {
      ...publishing,
      states,
      siteApi,
      requests: services.traffic?.requests,
      findPackage,
    });
    await api.register(publishRoutes, { ...publishing, sessions, ownOrigin: appUrl.origin });
    accountRoutes(api, { accounts, sessions, appUrl, forget });
    proofRoutes(api, { accounts, sessions, forget });
    securityRoutes(api, { accounts, sessions, forget });
    leavingRoutes(api, { db, endTokens: accounts.endTokens, sessions, exports: services.exports, limiter, forget });
    secondFactorRoutes(api, accounts, forget);
    cliSecurityRoutes(api, db, sessions);
    await api.register(authRoutes, {
      accounts,
      sessions,
      appUrl,
      google: google && new Google(google, appUrl),
      forget,
    });
    settingsRoute(api, config, { google: google !== undefined, sign_up: services.mail.smtpUrl !== undefined, news });
  });
}

function sftpAddress({
  SFTP_PORT: port,
  SFTP_HOST: host,
  APP_URL: appUrl,
  DATA_DIR: dataDir,
}: Config): SftpAddress | undefined {
  if (!port || whyNoSftp()) return undefined;
  return { host: host ?? appUrl.hostname, port, fingerprint: fingerprintOf(publicPartOf(readHostKey(dataDir))) };
}

type Known = Pick<PublicSettings, "google" | "sign_up" | "news">;

function settingsRoute(app: FastifyInstance, config: Config, known: Known) {
  const settings: PublicSettings = {
    brand: config.BRAND_NAME,
    support_email: config.SUPPORT_EMAIL,
    terms_url: config.TERMS_URL,
    privacy_url: config.PRIVACY_URL,
    blog_url: config.BLOG_URL,
    referral_urls: { es: config.REFERRAL_URL_ES, en: config.REFERRAL_URL_EN },
    sites_domain: config.SITES_DOMAIN,
    grace_days: config.GRACE_DAYS,
    vat: config.STRIPE_AUTOMATIC_TAX ? { seller: config.STRIPE_TAX_COUNTRY ?? null } : null,
    ...known,
  };
  app.get("/api/settings", { config: { allowCrossSite: true } }, async () => settings);
}
