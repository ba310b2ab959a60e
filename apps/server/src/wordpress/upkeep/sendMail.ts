import type { Recipe, SiteMailStatus } from "@nido/contract";
import { sql } from "drizzle-orm";
import { createTransport } from "nodemailer";
import { z } from "zod";
import type { RateLimitName } from "../../config/rateLimits.ts";
import type { Db } from "../../db/connect.ts";
import { RateLimiter } from "../../http/RateLimiter.ts";
import { runFairly } from "../../platform/runFairly.ts";
import { claimMail, postponeMail } from "../dueSites.ts";
import { logMessage, trimLog } from "../mailLog.ts";
import { type SiteRow, suspendMail } from "../queries.ts";
import type { WordPress } from "../WordPress.ts";
import type { WaitingMessage, WordPressRuntime } from "../WordPressRuntime.ts";
import { rewriteSender } from "./rewriteSender.ts";

const messageSchema = z.object({
  recipients: z.array(z.email()).min(1).max(50),
  subject: z.string().catch(""),
  mime: z.base64(),
});
const maxMessageBytes = 30 * 2 ** 20;
const maxPerSite = 20;
const maxAge = 3 * 24 * 60 * 60 * 1000;
const lanes = 4;
const maxSites = 1000;
/** The job runs every minute. */
const timeLimit = 45_000;

type Transport = ReturnType<typeof createTransport>;

export interface Mailer {
  /** whether nobody replaces the site at this moment */
  isFree: (siteId: string) => Promise<boolean>;
  /** smtp:// or smtps://, with user and password; undefined: messages stay in their folders */
  smtpUrl: string | undefined;
  /** the sender, in the envelope and in the message */
  from: string;
}

interface Outbox {
  db: Db;
  site: SiteRow;
  runtime: WordPressRuntime;
  server: Transport | undefined;
  limiter: RateLimiter;
  from: string;
}

/** Sends the mail that waits in sites' outboxes by SMTP, a few messages of each site at a time. Old ones are deleted. */
export async function sendMail({ db, runtimeOf, log }: WordPress, { isFree, smtpUrl, from }: Mailer) {
  const server = smtpUrl
    ? createTransport({ url: smtpUrl, pool: true, connectionTimeout: 10_000, socketTimeout: 20_000 })
    : undefined;
  const limiter = new RateLimiter(db);
  let isReachable = true;

  async function sendOf(site: SiteRow) {
    // Its outbox may be on its way from the site's old folder to the new one.
    if (!(await isFree(site.id))) return postponeMail(db, site.id, sql`now() + interval '50 seconds'`);
    const runtime = runtimeOf(site);
    const names = await runtime.listMail(site.id, maxPerSite);
    // The customers of a shop get no second message from its copy.
    if (site.stagingOf) for (const name of names) await hold(site, name);
    else await sendAll(site, names);
    if (names.length > 0) await trimLog(db, site.id);
    const isEmpty = names.length < maxPerSite && (await runtime.listMail(site.id, 1)).length === 0;
    await postponeMail(db, site.id, isEmpty ? null : sql`now() + interval '50 seconds'`);
  }

  async function hold(site: SiteRow, name: string) {
    const found = parseMessage(await runtimeOf(site).readMail(site.id, name, maxMessageBytes));
    await logMessage(db, site.id, { name, ...(typeof found === "object" && found), status: "held" });
    await runtimeOf(site).removeMail(site.id, name);
  }

  async function sendAll(site: SiteRow, names: string[]) {
    const runtime = runtimeOf(site);
    for (const name of names) {
      if (!isReachable) return;
      const result = await sendOne({ db, site, runtime, server, limiter, from }, name);
      if (result instanceof Error) log.warn({ err: result, project: site.id }, "could not send a message of a site");
      if (result === "unreachable") isReachable = false;
      // The site's other messages wait for the next day.
      if (result === "over quota") return;
      const refused = typeof result === "object" && "refused" in result ? result.refused : 0;
      if (refused > 0 && !(await limiter.takeMany("mailRefused", site.id, refused))) {
        await suspendMail(db, site.id);
        return log.error(
          { project: site.id },
          "mail of a site is suspended: the mail server refused too many of its recipients. To allow it again: npm run sites -- allow-mail NAME",
        );
      }
    }
  }
  try {
    const sites = await claimMail(db, maxSites);
    await runFairly(sites, { lanes, ownerOf: ({ userId }) => userId, timeLimit }, (site) =>
      sendOf(site).catch((error) => log.warn({ err: error, project: site.id }, "could not send the mail of a site")),
    );
  } finally {
    server?.close();
  }
}

/** `refused`: how many recipients the mail server refused for good */
type Result = "unreachable" | "over quota" | { refused: number } | Error;

/** Sends one message and deletes it. A message that can never be sent is deleted, too. */
async function sendOne({ db, site, runtime, server, limiter, from }: Outbox, name: string): Promise<Result> {
  const remove = () => runtime.removeMail(site.id, name);
  const found = parseMessage(await runtime.readMail(site.id, name, maxMessageBytes));
  const log = (status: SiteMailStatus, problem = "") =>
    logMessage(db, site.id, { name, ...(typeof found === "object" && found), status, problem });
  if (found === "wrong" || found === "old") {
    await remove();
    await log("dropped", found === "old" ? "expired" : "malformed");
    return new Error(
      found === "old"
        ? "the message could not be sent for three days"
        : "the message is malformed, too large or not a regular file",
    );
  }
  if (!server) {
    await log("waiting", "unreachable");
    return "unreachable";
  }
  const { recipients, mime } = found;
  const quota = mailQuota(site.recipe);
  if (!(await limiter.takeMany(quota, site.id, recipients.length))) {
    await log("waiting", "quota");
    return "over quota";
  }
  try {
    const raw = rewriteSender(Buffer.from(mime, "base64"), from);
    if (!raw) throw Object.assign(new Error("the head of the message is too large"), { responseCode: 552 });
    const { rejected = [], response = "" } = await server.sendMail({ envelope: { from, to: recipients }, raw });
    await remove();
    await (rejected.length > 0 ? log("refused", rejected.join(", ")) : log("sent", response));
    return { refused: rejected.length };
  } catch (error) {
    const { responseCode = 0, code = "", command = "CONN", rejected } = error as MailError;
    // A fault in the middle of a message may be the message's own: the mail of other sites goes on.
    const isUnreachable =
      /^(ECONNECTION|ETIMEDOUT|ESOCKET|EDNS|EAUTH)$/.test(code) && /^(CONN|EHLO|HELO|AUTH)/.test(command);
    // The message will be sent again later, so it does not count yet.
    if (isUnreachable || responseCode < 500) await limiter.forgive(quota, site.id, recipients.length);
    if (isUnreachable || responseCode < 500)
      await log("waiting", isUnreachable ? "unreachable" : (error as Error).message);
    if (isUnreachable) return "unreachable";
    if (responseCode < 500) return error as Error;
    // A permanent failure by SMTP status.
    await remove();
    await log("refused", (error as Error).message);
    return { refused: rejected?.length ?? 1 };
  }
}

/** What nodemailer adds to an error. */
interface MailError {
  responseCode?: number;
  code?: string;
  /** the SMTP command that failed */
  command?: string;
  rejected?: string[];
}

const quotas: Partial<Record<Recipe, RateLimitName>> = {
  wordpress_pro: "mailPro",
  wordpress_business: "mailBusiness",
};

/** The daily number of recipients of a plan. */
export function mailQuota(recipe: Recipe): RateLimitName {
  return quotas[recipe] ?? "mailStarter";
}

function parseMessage(found: WaitingMessage | undefined) {
  if (!found) return "wrong";
  if (Date.now() - found.writtenAt > maxAge) return "old";
  try {
    return messageSchema.safeParse(JSON.parse(String(found.content))).data ?? "wrong";
  } catch {
    return "wrong"; // malformed JSON
  }
}
