import type { FastifyBaseLogger } from "fastify";
import type { Accounts } from "../auth/Accounts.ts";
import type { GoogleClient } from "../auth/Google.ts";
import type { SessionLifetimes } from "../auth/sessions.ts";
import { createBilling, type StripeAccess } from "../billing/Billing.ts";
import { requestCustomerSync } from "../billing/customers/requestCustomerSync.ts";
import { createCertificates } from "../certificates/createCertificates.ts";
import { wantCertificate } from "../certificates/wantCertificate.ts";
import { endCliTokens } from "../cli/accessTokens.ts";
import { removeGrantsOfUser } from "../cli/grants.ts";
import type { Config } from "../config/parseConfig.ts";
import { connect } from "../db/connect.ts";
import { HeldLocks } from "../db/HeldLocks.ts";
import { createDeploys } from "../deploys/Deploys.ts";
import { Dns } from "../domains/Dns.ts";
import type { Domains } from "../domains/Domains.ts";
import { RateLimiter } from "../http/RateLimiter.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { ExportStore } from "../leaving/ExportStore.ts";
import { createMail } from "../mail/Mail.ts";
import { Bucket } from "../platform/Bucket.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import { createLiveState } from "../remote/createLiveState.ts";
import { Traffic } from "../traffic/Traffic.ts";
import { moveSiteJob } from "../wordpress/jobs.ts";
import { endAccess } from "../wordpress/sftp/accessRows.ts";
import { createWordPress } from "../wordpress/WordPress.ts";

export interface AppOptions {
  config: Config;
  databaseUrl: string;
  /** undefined: Google sign-in is not offered */
  google: GoogleClient | undefined;
  stripe: StripeAccess;
  /** the mail server; undefined: messages to customers wait */
  smtpUrl?: string | undefined;
}

/** For health checks, sign-ins and rate limits, so that they work while everything else waits for a connection. */
const essentialConnections = 4;

export type Services = ReturnType<typeof createServices>;

/** The parts of the product that routes, the edge and jobs work with, with their database connections. */
export function createServices({ config, databaseUrl, stripe, smtpUrl }: AppOptions, log: FastifyBaseLogger) {
  const onError = (error: Error) => log.warn({ err: error }, "lost a database connection");
  const db = connect(databaseUrl, onError);
  const essentialDb = connect(databaseUrl, onError, essentialConnections);
  const limiter = new RateLimiter(essentialDb);
  const sites: SiteAddresses = {
    scheme: config.APP_URL.protocol,
    domain: config.SITES_DOMAIN,
    hasWildcard: config.SITES_CERTIFICATES === "wildcard",
    appHost: config.APP_URL.hostname,
    addresses: config.SITES_ADDRESSES,
  };
  const traffic = config.TRAFFIC_STATISTICS ? new Traffic(db, log) : undefined;
  const live = createLiveState(
    { db, sites, limiter },
    databaseUrl,
    { lifetimes: lifetimesOf(config), secondFactorFor: config.SECOND_FACTOR_FOR },
    traffic?.requests.channels ?? {},
    log,
  );
  const certificates = config.HTTPS_PORT ? createCertificates(config, db, live.isListening, log) : undefined;
  if (certificates) live.invalidate(certificates.issued);
  const bucket = config.S3_URL && new Bucket(config.S3_URL);
  const domains: Domains = {
    db,
    dns: new Dns(config.DNS_SERVERS),
    sites,
    onVerified: async (tx, domain) => {
      if (certificates?.orders) await wantCertificate(tx, domain);
    },
    onPrimaryChanged: (tx, projectId) => enqueue(tx, moveSiteJob, { projectId }),
  };
  const mail = createMail(config, db, smtpUrl, log);
  const accounts: Accounts = {
    db: essentialDb,
    limiter,
    box: mail.box,
    canMail: config.isLocal || smtpUrl !== undefined,
    brand: config.BRAND_NAME,
    appUrl: config.APP_URL,
    sessionDays: config.SESSION_DAYS,
    secondFactorFor: config.SECOND_FACTOR_FOR,
    endTokens: async (tx, userId) => {
      // Grants first: one that is being redeemed would become a token that the second statement does not see.
      await removeGrantsOfUser(tx, userId);
      await endCliTokens(tx, userId);
      await endAccess(tx, userId);
    },
    onEmailChanged: requestCustomerSync,
  };
  return {
    db,
    essentialDb,
    accounts,
    billing: createBilling(db, stripe, config, log),
    live,
    mail,
    certificates,
    limiter,
    locks: new HeldLocks(databaseUrl, onError),
    wordpress: createWordPress(db, config, live.generations, bucket, log),
    exports: new ExportStore(config.DATA_DIR, bucket),
    deploys: createDeploys(db, config, sites, bucket),
    domains,
    /** undefined: the operator counts no visits */
    traffic,
  };
}

export function lifetimesOf({ SESSION_DAYS: days, SESSION_IDLE_DAYS: idleDays }: Config): SessionLifetimes {
  return { days, idleDays };
}
