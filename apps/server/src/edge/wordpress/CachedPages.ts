import type { IncomingHttpHeaders } from "node:http";
import { readBounded } from "../../platform/readBounded.ts";
import type { Site, SiteResponse, WordPressRuntime } from "../../wordpress/WordPressRuntime.ts";
import type { FastResponse } from "../fastPath/FastHead.ts";
import { fastPage } from "./fastPage.ts";
import { headersForVisitor } from "./headers.ts";
import { isCacheable, maxPageBytes } from "./isCacheable.ts";
import { compressedBody, createPage, freshnessOf, type Page, PageCache } from "./PageCache.ts";
import type { PageGenerations } from "./PageGenerations.ts";
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
  private readonly generations: PageGenerations;
  private readonly runtime: WordPressRuntime;

  private readonly uploads: UploadBudget;

  constructor(runtime: WordPressRuntime, generations: PageGenerations, uploads: UploadBudget) {
    this.runtime = runtime;
    this.generations = generations;
    this.uploads = uploads;
  }

  findFast(siteId: string, key: string, headers: IncomingHttpHeaders): FastResponse | undefined {
    const page = this.cache.find(key);
    if (!page || freshnessOf(page, this.generations.current(siteId)) !== "fresh") return undefined;
    return fastPage(page, encodingOf(page, headers));
  }

  async compress(key: string, headers: IncomingHttpHeaders) {
    const page = this.cache.find(key);
    const encoding = page && encodingOf(page, headers);
    if (encoding) await compressedBody(page, encoding);
  }

  async serve(site: Site, visit: Visit, call: PhpCall, key: string) {
    const { request, response } = visit;
    const generation = this.generations.current(site.id);
    const cached = this.cache.find(key);
    const freshness = cached && freshnessOf(cached, generation);
    if (cached && freshness === "fresh") return sendPage(request, response, cached, "hit");
    if (request.method === "HEAD" && !cached) return this.pass(site, visit, call);

    // Set if this request renders the page and the response turns out to be for this visitor alone.
    let personal: SiteResponse | undefined;
    const rendering = this.cache.render(key, generation, async () => {
      const answer = await requestSharedPage(this.runtime, site, visit, call);
      if (isCacheable(answer)) return this.readPage(site.id, visit.owner, answer, generation);
      personal = answer;
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
    if (personal) return this.sendPersonal(site.id, visit, personal, cached);
    if (!page) return this.pass(site, visit, call);
    return sendPage(request, response, page, page === cached ? "stale" : "miss");
  }

  /** A response for this visitor alone, uncached. */
  async pass(site: Site, visit: Visit, call: PhpCall) {
    const answer = await requestPhp(this.runtime, this.uploads, site, visit, call);
    await streamResponse(visit, answer, () => this.generations.refresh(site.id));
  }

  private async readPage(siteId: string, owner: string, answer: SiteResponse, generation: string): Promise<Page> {
    const body = await readBounded(answer.body, maxPageBytes);
    this.generations.refresh(siteId);
    return createPage({ status: answer.status, headers: headersForVisitor(answer.headers), body, owner, generation });
  }

  private async sendPersonal(siteId: string, visit: Visit, answer: SiteResponse, cached: Page | undefined) {
    if (!cached || answer.status < 500) return streamResponse(visit, answer, () => this.generations.refresh(siteId));
    answer.body.resume();
    return sendPage(visit.request, visit.response, cached, "stale");
  }
}
