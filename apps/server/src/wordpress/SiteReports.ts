import { pipeline, Transform } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import type { Db } from "../db/connect.ts";
import { recordReport } from "./dueSites.ts";
import type { PageGenerations } from "./PageGenerations.ts";
import type { Site, SiteReport, SiteResponse } from "./WordPressRuntime.ts";

interface Options {
  db: Db;
  report: (site: Site) => Promise<SiteReport>;
  generations: PageGenerations;
  log: FastifyBaseLogger;
  /** the time limit of a visitor's request */
  requestSeconds: number;
}

const maxKnown = 20_000;
/** After this time a report is recorded again, because it also says that the site was in use. */
const knownForMs = 10 * 60_000;

/**
 * Records what sites report: that their pages have changed, when their WP-Cron is due, and that they have mail to
 * send. All machines read it from the database, and no scheduler has to look into the sites themselves.
 */
export class SiteReports {
  private readonly options: Options;
  /** What this process has recorded, so that a request that changes nothing costs no query. */
  private readonly known = new LRUCache<string, string>({ max: maxKnown, ttl: knownForMs });

  constructor(options: Options) {
    this.options = options;
  }

  /** Makes a request to a site. The body of the response does not end before the site's report is recorded. */
  async record<Response extends SiteResponse>(
    site: Site,
    request: () => Promise<Response>,
    { isUse = true } = {},
  ): Promise<Response> {
    const response = await request().catch((error) => {
      this.recordLater(site, isUse);
      throw error;
    });
    return { ...response, body: this.follow(site, response, isUse) };
  }

  private follow(site: Site, { headers, body }: SiteResponse, isUse: boolean) {
    // A client that knows the length need not wait for the end of the response, so the last chunk is held back.
    const isLengthKnown = headers["content-length"] !== undefined;
    let held: Buffer | undefined;
    const following = new Transform({
      transform: (chunk, _encoding, done) => {
        if (!isLengthKnown) return done(null, chunk);
        const previous = held;
        held = chunk;
        done(null, previous);
      },
      flush: (done) => void this.save(site, isUse).finally(() => done(null, held)),
    });
    pipeline(body, following, (error) => {
      if (error) this.recordLater(site, isUse);
    });
    return following;
  }

  /** PHP may go on although nobody waits for its response any longer. */
  private recordLater(site: Site, isUse: boolean) {
    for (const delay of [0, this.options.requestSeconds * 1000])
      setTimeout(() => void this.save(site, isUse), delay).unref();
  }

  private async save(site: Site, isUse: boolean) {
    const { id: siteId } = site;
    const { db, generations, log } = this.options;
    try {
      const report = await this.options.report(site);
      const text = JSON.stringify(report);
      // Mail is always recorded: the job that sends it may have found the outbox empty a moment ago.
      if (!report.hasMail && this.known.get(siteId) === text) return;
      if (await recordReport(db, siteId, report, isUse)) generations.forget(siteId);
      // After a request of the platform, the next visitor's is recorded in any case: it shows that the site is in use.
      if (isUse) this.known.set(siteId, text);
    } catch (error) {
      // Without the database, no cached page is served. The next report is compared with the database again.
      this.known.delete(siteId);
      log.warn({ err: error, project: siteId }, "could not record the report of a site");
    }
  }

  /** The next report is recorded in any case. */
  forget(siteId: string) {
    this.known.delete(siteId);
  }
}
