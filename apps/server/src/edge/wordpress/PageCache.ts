import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Encoding } from "../../deploys/blobs/BlobStore.ts";
import { OwnerShares } from "../../platform/OwnerShares.ts";
import { compress } from "./compress.ts";

/** A rendered page with its compressed forms. */
export interface Page {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  etag: string;
  /** the site's customer */
  owner: string;
  site: string;
  /** the site's page generation when it was requested; undefined if it was not known */
  generation: string | undefined;
  renderedAt: number;
  compressed: Map<Encoding, Buffer | Promise<Buffer>>;
}
export type Freshness = "fresh" | "expired" | "outdated";

const lifetime = 10 * 60_000;
const errorLifetime = 60_000;
const maxBytes = 256 * 2 ** 20;

/** The pages of anonymous visitors: LRU caches with single-flight rendering. */
export class PageCache {
  private readonly pages = cacheOf({ maxBytes, ofCustomer: maxBytes / 4, ofSite: maxBytes / 8 });
  /** Errors, such as 404. Anybody can invent enough of them to push out the pages. */
  private readonly errors = cacheOf({ maxBytes: maxBytes / 16, ofCustomer: maxBytes / 64, ofSite: maxBytes / 256 });
  private readonly renderings = new Map<string, Promise<Page | undefined>>();

  find(key: string): Page | undefined {
    return this.pages.get(key) ?? this.errors.get(key);
  }

  /** Renders once for all concurrent requests; undefined if the response is not cacheable. */
  render(
    key: string,
    generation: string | undefined,
    renderPage: () => Promise<Page | undefined>,
  ): Promise<Page | undefined> {
    // Not lru-cache's fetch(): the old page stays available while a newer generation is rendered.
    const id = `${generation} ${key}`;
    const rendering =
      this.renderings.get(id) ??
      renderPage()
        .then((page) => {
          if (page) this.store(key, page);
          return page;
        })
        .finally(() => this.renderings.delete(id));
    this.renderings.set(id, rendering);
    return rendering;
  }

  private store(key: string, page: Page) {
    const isError = page.status >= 400;
    // An error does not replace a good page, unless the page is gone.
    if (isError && page.status !== 404 && this.pages.has(key)) return;
    const [cache, other] = isError ? [this.errors, this.pages] : [this.pages, this.errors];
    other.delete(key);
    cache.set(key, page);
  }
}

/** Neither a customer nor a site fills more than its share. */
function cacheOf({ maxBytes: maxSize, ofCustomer, ofSite }: { maxBytes: number; ofCustomer: number; ofSite: number }) {
  const shares = [
    new OwnerShares<Page>({ share: ofCustomer, sizeOf: weightOf, ownerOf: ({ owner }) => owner }),
    new OwnerShares<Page>({ share: ofSite, sizeOf: weightOf, ownerOf: ({ site }) => site }),
  ];
  const cache = new LRUCache<string, Page>({
    maxSize,
    sizeCalculation: (page, key) => Math.max(...shares.map((share) => share.sizeCalculation(page, key))),
    dispose: (page, key, reason) => {
      for (const share of shares) share.dispose(page, key, reason);
    },
  });
  for (const share of shares) share.attach(cache);
  return cache;
}

/** The approximate size of a page in memory, including its compressed forms. */
function weightOf({ body, headers }: Page, key: string): number {
  return 2048 + key.length + JSON.stringify(headers).length + 3 * body.length;
}

export function createPage(
  rendered: Pick<Page, "status" | "headers" | "body" | "owner" | "site" | "generation">,
): Page {
  const etag = `W/"${createHash("sha1").update(rendered.body).digest("base64url")}"`;
  return { ...rendered, etag, renderedAt: Date.now(), compressed: new Map() };
}

export function freshnessOf({ generation, renderedAt, status }: Page, current: string | undefined): Freshness {
  if (current === undefined || generation !== current) return "outdated";
  const limit = status < 400 ? lifetime : errorLifetime;
  return Date.now() - renderedAt > limit ? "expired" : "fresh";
}

/** Compresses once; concurrent callers share the result. */
export async function compressedBody(page: Page, encoding: Encoding): Promise<Buffer> {
  const known = page.compressed.get(encoding);
  if (known) return known;
  const body = compress(page.body, encoding);
  page.compressed.set(encoding, body);
  page.compressed.set(encoding, await body);
  return body;
}

/** The compressed body if it exists already. */
export function compressedNow({ compressed }: Page, encoding: Encoding): Buffer | undefined {
  const body = compressed.get(encoding);
  return Buffer.isBuffer(body) ? body : undefined;
}
