import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readBounded } from "../../platform/readBounded.ts";
import { isUnfinished } from "../../wordpress/isUnfinished.ts";
import type { WordPress } from "../../wordpress/WordPress.ts";
import { RuntimeFailed, type Site, type SiteResponse } from "../../wordpress/WordPressRuntime.ts";
import { isUnchanged } from "../conditionalRequest.ts";
import type { FastRequest, FastResponse } from "../fastPath/FastHead.ts";
import { fastPage, unchangedPage } from "./fastPage.ts";
import { headersForVisitor } from "./headers.ts";
import { isCacheable, maxPageBytes } from "./isCacheable.ts";
import { compressedBody, createPage, freshnessOf, type Page, PageCache } from "./PageCache.ts";
import { type PhpCall, requestPhp, requestSharedPage } from "./requestPhp.ts";
import { encodingOf, sendPage } from "./sendPage.ts";
import { streamResponse } from "./streamResponse.ts";
import type { UploadBudget } from "./UploadBudget.ts";
import type { Visit } from "./Visit.ts";

/**
 * Serves pages to anonymous visitors from the cache. Concurrent requests for a page share one rendering. While PHP
 * fails, the last good page is served.
 */
export class CachedPages {
  private readonly cache = new PageCache();
  private readonly wordpress: Pick<WordPress, "answer" | "visit" | "generations">;
  private readonly uploads: UploadBudget;

  constructor(wordpress: Pick<WordPress, "answer" | "visit" | "generations">, uploads: UploadBudget) {
    this.wordpress = wordpress;
    this.uploads = uploads;
  }

  findFast(siteId: string, key: string, { url, headers }: FastRequest): FastResponse | undefined {
    const page = this.cache.find(key);
    if (!page || freshnessOf(page, this.wordpress.generations.peek(siteId)) !== "fresh") return undefined;
    const isKnown =
      headers["if-none-match"] !== undefined && page.status === 200 && isUnchanged(headers, page.etag, "");
    return isKnown ? unchangedPage(page, url) : fastPage(page, encodingOf(page, headers), url);
  }

  /** Does what `findFast` needs to find a cached page. */
  async load(siteId: string, key: string, headers: IncomingHttpHeaders) {
    const page = this.cache.find(key);
    if (page) await this.wordpress.generations.find(siteId);
    const encoding = page && encodingOf(page, headers);
    if (encoding) await compressedBody(page, encoding);
  }

  async serve(site: Site, visit: Visit, call: PhpCall, key: string) {
    const { request, response } = visit;
    const generation = await this.wordpress.generations.find(site.id);
    const cached = this.cache.find(key);
    const freshness = cached && freshnessOf(cached, generation);
    if (cached && freshness === "fresh") return sendPage(request, response, cached, "hit");
    if (request.method === "HEAD" && !cached) return void (await this.pass(site, visit, call));

    // Set if this request renders the page and the response turns out to be for this visitor alone.
    let personal: SiteResponse | undefined;
    const rendering = this.cache.render(key, generation, async () => {
      const answer = await requestSharedPage(this.wordpress.answer, site, visit, call);
      const body = isCacheable(answer) ? await readBounded(answer.body, maxPageBytes) : undefined;
      if (body && !isUnfinished(body)) {
        const { status, headers } = answer;
        return createPage({
          status,
          headers: headersForVisitor(headers),
          body,
          owner: visit.owner,
          site: site.id,
          generation,
        });
      }
      personal = body ? { ...answer, status: 500, body: Readable.from([body]) } : answer;
      return undefined;
    });
    if (cached && freshness === "expired") {
      rendering.then(() => personal?.body.resume()).catch(() => undefined);
      return sendPage(request, response, cached, "stale");
    }
    const page = await rendering.catch((error) => {
      if (!cached) throw error;
      return cached;
    });
    if (personal) return sendPersonal(visit, personal, cached);
    if (!page) return void (await this.pass(site, visit, call));
    return sendPage(request, response, page, page === cached ? "stale" : "miss");
  }

  /** A response for this visitor alone, uncached. Returns the header fields that PHP sent. */
  async pass(site: Site, visit: Visit, call: PhpCall): Promise<IncomingHttpHeaders> {
    const answer = await requestPhp(this.wordpress.answer, this.uploads, site, visit, call);
    await streamResponse(visit, answer);
    return answer.headers;
  }

  /** A response for this visitor alone. If the site's code fails or does not answer, PHP gets the next call instead. */
  async passOr(site: Site, visit: Visit, call: PhpCall, ...others: PhpCall[]): Promise<void> {
    const [next, ...rest] = others;
    if (!next) return void (await this.pass(site, visit, call));
    const answer = await requestPhp(this.wordpress.answer, this.uploads, site, visit, call).catch((error) => {
      if (!(error instanceof RuntimeFailed)) throw error;
    });
    if (answer && answer.status < 500) return streamResponse(visit, answer);
    answer?.body.resume();
    await this.passOr(site, visit, next, ...rest);
  }

  /** Lets the machine that has the site's files route and answer the request. */
  async forward(site: Site, visit: Visit) {
    const { range, "if-range": ifRange, "if-none-match": ifNoneMatch } = visit.request.headers;
    const { "accept-encoding": encodings } = visit.request.headers;
    const forFiles = { range, "if-range": ifRange, "if-none-match": ifNoneMatch, "accept-encoding": encodings };
    const send: WordPress["visit"] = (of, request) =>
      this.wordpress.visit(of, { ...request, headers: { ...request.headers, ...forFiles } });
    const answer = await requestPhp(send, this.uploads, site, visit, {});
    if (!answer.isFile) return streamResponse(visit, answer);
    visit.response.writeHead(answer.status, headersForVisitor(answer.headers));
    // A visitor who leaves ends the stream early.
    await pipeline(answer.body, visit.response).catch(() => undefined);
  }
}

async function sendPersonal(visit: Visit, answer: SiteResponse, cached: Page | undefined) {
  const isMeant = answer.headers["x-nido-keep"] === "no";
  if (!cached || answer.status < 500 || isMeant) return streamResponse(visit, answer);
  answer.body.resume();
  return sendPage(visit.request, visit.response, cached, "stale");
}
