import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A page as PHP made it, and as it travels. */
export interface Page {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  etag: string;
  /** what the site's pages were called when it was asked for */
  generation: string;
  madeAt: number;
  /** when it was last put at the end of those to be dropped */
  lastMoved: number;
  compressed: Map<Encoding, Buffer | Promise<Buffer>>;
}
export type Encoding = "br" | "gzip";
export type Freshness = "fresh" | "expired" | "outdated";

const aSecond = 1000;
const lifetime = 10 * 60_000;
const lifetimeOfErrors = 60_000;
const mostBytes = 256 * 2 ** 20;

const compressors: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => promisify(gzip)(body, { level: 6 }),
};

/** The pages that anonymous visitors were shown, the least recently asked for dropped first. */
export class PageCache {
  private readonly pages = new Map<string, Page>();
  private readonly makings = new Map<string, Promise<Page | undefined>>();
  private bytes = 0;

  find(key: string): Page | undefined {
    const page = this.pages.get(key);
    const now = Date.now();
    // Not each time: a page that is asked for a thousand times a second stays where it is.
    if (page && now - page.lastMoved > aSecond) {
      page.lastMoved = now;
      this.pages.delete(key);
      this.pages.set(key, page);
    }
    return page;
  }

  /** One making at a time for all who ask; undefined where what was made is not for keeping. */
  make(key: string, generation: string, makePage: () => Promise<Page | undefined>): Promise<Page | undefined> {
    const id = `${generation} ${key}`;
    const making =
      this.makings.get(id) ??
      makePage()
        .then((page) => {
          if (page) this.keep(key, page);
          return page;
        })
        .finally(() => this.makings.delete(id));
    this.makings.set(id, making);
    return making;
  }

  private keep(key: string, page: Page) {
    const old = this.pages.get(key);
    // An error is not kept in the place of a page that was good.
    if (old && page.status >= 400 && old.status < 400 && page.status !== 404) return;
    this.drop(key);
    this.pages.set(key, page);
    this.bytes += weightOf(key, page);
    for (const oldest of this.pages.keys()) {
      if (this.bytes <= mostBytes) break;
      this.drop(oldest);
    }
  }

  private drop(key: string) {
    const page = this.pages.get(key);
    if (page) this.bytes -= weightOf(key, page);
    this.pages.delete(key);
  }
}

/** About what a page takes in memory, its compressed copies included. */
function weightOf(key: string, { body, headers }: Page): number {
  return 2048 + key.length + JSON.stringify(headers).length + 3 * body.length;
}

export function createPage(made: Pick<Page, "status" | "headers" | "body" | "generation">): Page {
  const etag = `W/"${createHash("sha1").update(made.body).digest("base64url")}"`;
  return { ...made, etag, madeAt: Date.now(), lastMoved: 0, compressed: new Map() };
}

export function freshnessOf({ generation, madeAt, status }: Page, current: string): Freshness {
  if (generation !== current) return "outdated";
  const limit = status < 400 ? lifetime : lifetimeOfErrors;
  return Date.now() - madeAt > limit ? "expired" : "fresh";
}

/** Compressed once for all who come. */
export async function compressedBody(page: Page, encoding: Encoding): Promise<Buffer> {
  const known = page.compressed.get(encoding);
  if (known) return known;
  const body = compressors[encoding](page.body);
  page.compressed.set(encoding, body);
  page.compressed.set(encoding, await body);
  return body;
}

export function compressedNow({ compressed }: Page, encoding: Encoding): Buffer | undefined {
  const body = compressed.get(encoding);
  return Buffer.isBuffer(body) ? body : undefined;
}
