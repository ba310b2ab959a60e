import type { FastifyBaseLogger } from "fastify";
import { removeExpiredChallenges } from "../auth/challenges.ts";
import { forgetOldDevices } from "../auth/devices.ts";
import { removeExpiredSessions, type SessionLifetimes } from "../auth/sessions.ts";
import { removeExpiredVerifications } from "../auth/verifications.ts";
import { removeExpiredCheckouts } from "../billing/checkout/queries.ts";
import { removeOldEvents } from "../billing/queries.ts";
import { removeExpiredCliTokens } from "../cli/accessTokens.ts";
import { removeExpiredGrants } from "../cli/grants.ts";
import type { Db } from "../db/connect.ts";
import { removeExpiredAttempts } from "../http/RateLimiter.ts";
import { deleteExhaustedJobs } from "../jobs/enqueue.ts";
import { removeOldMessages } from "../mail/queries.ts";
import { removeOldSiteMail } from "../wordpress/mailLog.ts";
import { removeExpiredAccess } from "../wordpress/sftp/accessRows.ts";
import { removeExpiredSsoTokens } from "../wordpress/ssoTokens.ts";
import { failAllVanishedWork } from "../wordpress/work.ts";

const interval = 60 * 60 * 1000;
const sweepers = [
  removeExpiredAttempts,
  removeExpiredChallenges,
  forgetOldDevices,
  removeExpiredVerifications,
  removeOldMessages,
  removeExpiredSsoTokens,
  removeExpiredGrants,
  removeExpiredCliTokens,
  removeExpiredCheckouts,
  removeOldEvents,
  deleteExhaustedJobs,
  removeOldSiteMail,
  removeExpiredAccess,
  failAllVanishedWork,
];

/** Deletes expired rows, and ends what nobody works on any longer, now and every hour. Returns the function that stops it. */
export function startSweeping(db: Db, lifetimes: SessionLifetimes, log: FastifyBaseLogger) {
  const removeSessions = (swept: Db) => removeExpiredSessions(swept, lifetimes);
  const run = async () => {
    for (const sweep of [...sweepers, removeSessions])
      await sweep(db).catch((error) => log.warn({ err: error }, `${sweep.name} failed; it runs again in an hour`));
  };
  void run();
  const timer = setInterval(() => void run(), interval);
  return () => clearInterval(timer);
}
