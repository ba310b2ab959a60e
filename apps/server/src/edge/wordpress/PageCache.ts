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
  /** the site's page generation when it was requested; undefined if it was not known */
  generation: string | undefined;
  renderedAt: number;
  compressed: Map<Encoding, Buffer | Promise<Buffer>>;
}
export type Freshness = "fresh" | "expired" | "outdated";

const lifetime = 10 * 60_000;
const errorLifetime = 60_000;
const maxBytes = 256 * 2 ** 20;
/** One customer's part of the cache. */
const maxBytesOfOne = maxBytes / 4;

/** The pages of anonymous visitors: an LRU cache with single-flight rendering. */
export class PageCache {
  private readonly shares = new OwnerShares<Page>({
    share: maxBytesOfOne,
    sizeOf: weightOf,
    ownerOf: ({ owner }) => owner,
  });
  private readonly pages = new LRUCache<string, Page>({
    maxSize: maxBytes,
    sizeCalculation: this.shares.sizeCalculation,
    dispose: this.shares.dispose,
  });
  private readonly renderings = new Map<string, Promise<Page | undefined>>();

  constructor() {
    this.shares.attach(this.pages);
  }

  find(key: string): Page | undefined {
    return this.pages.get(key);
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
    const old = this.pages.peek(key);
    // An error does not replace a good page.
    if (old && page.status >= 400 && old.status < 400 && page.status !== 404) return;
    this.pages.set(key, page);
  }
}

/** The approximate size of a page in memory, including its compressed forms. */
function weightOf({ body, headers }: Page, key: string): number {
  return 2048 + key.length + JSON.stringify(headers).length + 3 * body.length;
}

export function createPage(rendered: Pick<Page, "status" | "headers" | "body" | "owner" | "generation">): Page {
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
